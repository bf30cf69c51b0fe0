"""Compares upstream's evaluator with this project's: see run beside it.

upstream.py rows DIR DIR               writes the public conformance rows anew
upstream.py answers SEED NUMBER        prints so many changed answers, judged
upstream.py files RUN                  scores the result files of a run
"""
import ast
import contextlib
import json
import pathlib
import random
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
import judge  # noqa: E402
import mutate  # noqa: E402
import own  # noqa: E402

SEED = 27


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    seen, lines = set(), []
    for row in rows:
        line = json.dumps(row, ensure_ascii=False)
        if line not in seen:
            seen.add(line)
            lines.append(line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


def distinct(case):
    """Without answers that are there twice, and without rules' names."""
    kept = {}
    for a in case["answers"]:
        a.pop("rule", None)
        kept.setdefault(json.dumps(a, sort_keys=True), a)
    return dict(case, answers=list(kept.values()))


def rows(verdicts, readings):
    kinds = {
        "by_hand": own.by_hand(), "generated": own.generated(SEED, 20, 10), "relevance": own.relevance(SEED, 130),
        "last_messages": own.messages(SEED, 45), "conversations": own.conversations(SEED, 40),
    }
    for name, cases in kinds.items():
        write(verdicts / (name + ".jsonl"), (judge.judged(distinct(c)) for c in cases))
    forms = {}
    for form, row in own.readings(SEED, 12):
        forms.setdefault(form, []).append(judge.decoded(row, form))
    for form, read in forms.items():
        write(readings / (form + ".jsonl"), read)


def keywords(call, docs):
    """Names the arguments of a call's text: models' texts must."""
    tree = ast.parse(call, mode="eval").body
    names = next((list(d["parameters"]["properties"]) for d in docs if d["name"] == tree.func.id), [])
    tree.keywords = [ast.keyword(n, a) for n, a in zip(names, tree.args)] + tree.keywords
    tree.args = []
    return ast.unparse(tree)


def official(category):
    """The cases of a category of the installed package's dataset."""
    utils = judge.importlib.import_module("bfcl_eval.utils")
    entries = utils.load_dataset_entry(category, include_prereq=False, include_language_specific_hint=False)
    wanted = utils.load_ground_truth_entry(category) if "relevance" not in category else [{"ground_truth": []}] * len(entries)
    for entry, answer in zip(entries, wanted, strict=True):  # as upstream does: some ids differ
        case = dict(id=entry["id"], category=category, possible_answer=answer["ground_truth"])
        if "multi_turn" in category:
            spoken = [[keywords(c, entry["function"]) for c in turn] for turn in answer["ground_truth"]]
            yield dict(case, involved_classes=entry["involved_classes"], initial_config=entry["initial_config"], spoken=spoken)
        else:
            yield dict(case, function=entry.get("function", []))


# Without multi_turn_long_context, whose padding no row carries.
PYTHON = ["simple_python", "multiple", "parallel", "parallel_multiple", "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple"]
CATEGORIES = PYTHON + ["simple_java", "simple_javascript", "irrelevance", "live_relevance", "multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "memory_kv", "web_search_base"]


def answers(seed, number):
    rng, probing = random.Random(seed), random.Random(seed + 1)
    cases = [(c, list(official(c))) for c in CATEGORIES]
    each = -(-number // len(cases))
    for category, all_cases in cases:
        n = each // 4 if "multi_turn" in category else each
        per = -(-n // len(all_cases))
        for case in rng.sample(all_cases, min(len(all_cases), -(-n // per))):
            made = (mutate.conversations if "multi_turn" in category else mutate.messages if category.startswith(("memory", "web")) else mutate.answers)
            if "relevance" in category:
                doc = case["function"][0]["name"] if case["function"] else "f"
                case["answers"] = mutate.relevance(rng, [(doc, {"x": 1, "name": "a b"})], per)
            else:
                case["u2d"] = rng.random() < 0.3
                case["answers"] = made(rng, case, per)
                mutate.probed(probing, case)
            print(json.dumps(judge.judged(case), ensure_ascii=False))


def files(run):
    """Scores a run's result files, whose lines have the run's mark, with upstream's evaluator."""
    evaluator, model = judge.runner, judge.MODELS[True]
    evaluator.tqdm = lambda items, **_: items
    evaluator.generate_leaderboard_csv = lambda *_: None  # needs pandas
    evaluator.record_cost_latency = lambda *_: None
    evaluator.get_handler = lambda _: judge.HANDLERS["fc"]
    ours = json.loads((run / "score.json").read_text())["categories"]
    differ = 0
    with tempfile.TemporaryDirectory() as work:
        results, scores = pathlib.Path(work, "result"), pathlib.Path(work, "score")
        shutil.copytree(run / "result", results / model)
        lines = [json.loads(x) for f in results.rglob("*.json") for x in f.read_text().splitlines()]
        marked = sum("run" in x for x in lines)
        categories = [evaluator.extract_test_category(f) for f in results.rglob("*.json") if "prereq" not in str(f)]
        with contextlib.redirect_stdout(sys.stderr):
            evaluator.runner([model], categories, results, scores)
        for f in sorted(scores.rglob("*_score.json")):
            head, category = json.loads(f.read_text().splitlines()[0]), f.name.removeprefix("BFCL_v4_").removesuffix("_score.json")
            theirs, mine = (head["correct_count"], head["total_count"]), (ours[category]["correct"], ours[category]["total"])
            differ += theirs != mine
            print(f"{category:28} upstream {theirs[0]:4} of {theirs[1]:4}, here {mine[0]:4} of {mine[1]:4}{'' if theirs == mine else '  DIFFERS'}")
    print(f"{len(lines)} lines, {marked} with a mark; {differ} of {len(categories)} categories differ")
    return 0 if not differ and marked == len(lines) and categories else 1


match sys.argv[1:]:
    case ["rows", verdicts, readings]: rows(pathlib.Path(verdicts), pathlib.Path(readings))
    case ["answers", seed, number]: answers(int(seed), int(number))
    case ["files", run]: sys.exit(files(pathlib.Path(run)))
    case _: sys.exit(__doc__)
