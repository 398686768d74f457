"""Records the lens of each program in a folder: python lens_recorder.py FOLDER OUT NAME...

A program says in comments which call (`# lens: attend(q, k)`), on how many devices, and with what
options. Each is run in a child forked before a backend has started, two at once, and leaves
OUT/NAME.json: the lens, the StableHLO as JAX prints it, and for each item of StableHLO and HLO the
source position that the compiler itself noted. NAME@unmarked has its equations left unmarked.
"""

import json
import os
import re
import sys
import traceback

from traced.worker import hlo, stablehlo, warm
from traced.worker.call import evaluate, trace
from traced.worker.equations import Equations
from traced.worker.lens import record, shown_in


def run(folder: str, out: str, name: str) -> None:
    path = os.path.join(folder, f"{name.partition('@')[0]}.py")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    header = dict(re.findall(r"(?m)^# (lens|devices|options): (.*)", text))
    os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={header.get('devices', 1)}"
    namespace: dict[str, object] = {}
    exec(compile(text, path, "exec"), namespace)
    if name.endswith("@unmarked"):
        Equations.traced = unmarkable
    call = evaluate(header["lens"], namespace)
    options = json.loads(header.get("options", "{}"))
    lens = record(call, shown_in(folder), **options)
    platform = {"lowering_platforms": (options["platform"],)} if "platform" in options else {}
    lowered = trace(call).lower(**platform)
    parsed = {"stablehlo": stablehlo.parse(lowered.as_text(debug_info=True))}
    for layer in lens["layers"]:
        if layer["kind"] == "hlo":
            parsed["hlo"] = hlo.parse(layer["whole"])
    places = {kind: [item.place for item in parsed[kind].items] for kind in parsed}
    result = {"lens": lens, "places": places, "printed": lowered.as_text()}
    with open(os.path.join(out, f"{name}.json"), "w", encoding="utf-8") as file:
        json.dump(result, file)


def unmarkable(*_: object) -> None:
    raise TypeError("not to be marked")


def main(folder: str, out: str, *names: str) -> None:
    warm.import_jax()
    sys.path.insert(0, folder)
    for index, name in enumerate(names):
        if not os.fork():
            try:
                run(folder, out, name)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        if index:
            os.wait()
    os.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
