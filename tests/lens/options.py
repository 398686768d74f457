# lens: attend(q, k)
# options: {"layers": ["hlo"], "compiler_options": {"xla_cpu_experimental_ynn_fusion_type": ""}}
from attend import attend, k, q  # noqa: F401
