#!/usr/bin/env python3
"""How fast `bfcl judge -` gives verdicts, and whether its memory grows.

    internal/test/bench/judge.py --bfcl ./bfcl --data DATA --results RESULT_DIR [--lines N]
    internal/test/bench/judge.py --upstream BFCL_EVAL --data DATA --results RESULT_DIR

RESULT_DIR holds one model's result files of V4 in function-calling mode. Its
single-turn answers are repeated until there are N lines, one and the same text
for both. With --upstream, upstream's decoder and checker judge them in this
process instead; BFCL_EVAL is the folder that holds the package bfcl_eval. Only
its checker and what the checker imports are loaded, which needs tree_sitter.
"""
import argparse, glob, json, os, subprocess, sys, threading, time, types


def answers(folder):
    for path in sorted(glob.glob(f"{folder}/*live/BFCL_v4_*_result.json")):
        category = os.path.basename(path)[len("BFCL_v4_"):-len("_result.json")]
        if "relevance" in category:
            continue
        for line in open(path):
            row = json.loads(line)
            yield category, {"id": row["id"], "result": row["result"], "mode": "fc"}


def rss(pid):
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) >> 10 for line in status if line.startswith("VmRSS"))


def ours(args, lines):
    block = "".join(json.dumps(row) + "\n" for _, row in lines).encode()
    command = [args.bfcl, "judge", "--dataset", "v4", "--data", args.data, "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as judge:
        def feed():
            for _ in range(args.lines // len(lines)):
                judge.stdin.write(block)
            judge.stdin.close()
        feeder = threading.Thread(target=feed)
        first = next_mark = passed = 0
        feeder.start()
        seen, begun = 0, None
        while chunk := judge.stdout.read1(1 << 20):
            begun = begun or time.monotonic()  # the dataset is loaded
            seen += chunk.count(b"\n")
            if seen >= next_mark:
                print(f"{seen:>10} verdicts, {rss(judge.pid)} MB resident", flush=True)
                next_mark = 100_000 if next_mark == 0 else 1_000_000 * (seen // 1_000_000 + 1)
        took = time.monotonic() - begun
        feeder.join()
    print(f"{seen} verdicts in {took:.1f} s: {seen / took:.0f} a second")


def upstream(args, lines):
    config = types.ModuleType("bfcl_eval.constants.model_config")
    class Any(dict):
        def __missing__(self, key):
            return types.SimpleNamespace(underscore_to_dot=True)
    config.MODEL_CONFIG_MAPPING = Any()
    for name in ("bfcl_eval", "bfcl_eval.model_handler", "bfcl_eval.eval_checker"):  # without what they import
        module = types.ModuleType(name)
        module.__path__ = [os.path.join(args.upstream, *name.split("."))]
        sys.modules[name] = module
    sys.modules[config.__name__] = config
    from bfcl_eval.constants.enums import Language
    from bfcl_eval.eval_checker.ast_eval.ast_checker import ast_checker
    cases = {}
    for category in {category for category, _ in lines}:
        name = f"BFCL_v4_{category}.json"
        for path, key in ((name, "function"), (f"possible_answer/{name}", "ground_truth")):
            for line in open(os.path.join(args.data, "v4", path)):
                row = json.loads(line)
                cases.setdefault(row["id"], {})[key] = row[key]
    block = [(category, json.dumps(row)) for category, row in lines]
    language = {"simple_java": Language.JAVA, "simple_javascript": Language.JAVASCRIPT}
    passed = seen = 0
    begun = time.monotonic()
    for _ in range(max(args.lines // len(block), 1)):
        for category, line in block:
            row = json.loads(line)
            case, valid, kind = cases[row["id"]], False, "ast_decoder:decoder_failed"
            try:
                calls = [{name: json.loads(given) for name, given in call.items()} for call in row["result"]]
                said = ast_checker(case["function"], calls, case["ground_truth"], language.get(category, Language.PYTHON), category, "m")
                valid, kind = said["valid"], said.get("error_type")
            except Exception:  # what cannot be decoded is a wrong answer
                pass
            json.dumps({"id": row["id"], "valid": valid, "error_type": kind})
            passed += valid
            seen += 1
    took = time.monotonic() - begun
    print(f"{seen} verdicts in {took:.1f} s: {seen / took:.0f} a second; {passed} passed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("bfcl", "upstream", "data", "results"):
        parser.add_argument("--" + name)
    parser.add_argument("--lines", type=int, default=1_000_000)
    args = parser.parse_args()
    lines = list(answers(args.results))
    (upstream if args.upstream else ours)(args, lines)


if __name__ == "__main__":
    main()
