# lens: attend(q, k)
# options: {"platform": "tpu"}
from attend import attend, k, q  # noqa: F401
