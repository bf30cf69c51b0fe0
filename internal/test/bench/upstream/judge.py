"""Judges answers with upstream's own evaluator.

Needs a Python with the package bfcl_eval, of which it uses what judges:
tree_sitter, the two grammars, numpy and mpmath must be real; any other library
that the package imports and this Python lacks is replaced by an empty one.
"""
import importlib
import importlib.abc
import importlib.machinery
import io
import contextlib
import json
import os
import sys
import tempfile
import types

REAL = {"tree_sitter", "tree_sitter_java", "tree_sitter_javascript", "numpy", "mpmath", "bfcl_eval"}


class Anything(type):
    """A class that has every attribute and can be called in every way."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name, (), {})

    def __call__(cls, *args, **kwargs):
        if len(args) == 1 and not kwargs and isinstance(args[0], types.FunctionType):
            return args[0]  # a decorator
        return cls

    def __enter__(cls):
        return cls

    def __exit__(cls, *_):
        return False


class Empty(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name, (), {})


def asked():
    """Reports whether the package itself imports, not a library that tries."""
    frame = sys._getframe(2)
    while frame and "importlib" in frame.f_code.co_filename:
        frame = frame.f_back
    return frame is not None and "bfcl_eval" in frame.f_code.co_filename


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds what no other finder has found."""

    def __init__(self):
        self.missing = set()

    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in REAL or top in sys.stdlib_module_names or (path is not None and top not in self.missing) or not asked():
            return None
        self.missing.add(top)
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Empty(spec.name)

    def exec_module(self, module):
        pass


def load():
    """Imports the evaluator; its own folders go to a temporary place."""
    os.environ.setdefault("BFCL_PROJECT_ROOT", tempfile.mkdtemp(prefix="bfcl-upstream-"))
    finder = Finder()
    sys.meta_path.append(finder)
    runner = importlib.import_module("bfcl_eval.eval_checker.eval_runner")
    if finder.missing:
        print("replaced by empty ones: " + ", ".join(sorted(finder.missing)), file=sys.stderr)
    return runner


runner = load()
from bfcl_eval.constants.enums import ReturnFormat  # noqa: E402
from bfcl_eval.constants.model_config import MODEL_CONFIG_MAPPING  # noqa: E402
from bfcl_eval.eval_checker.multi_turn_eval import multi_turn_utils  # noqa: E402
from bfcl_eval.model_handler import utils  # noqa: E402
from bfcl_eval.model_handler.api_inference.openai_completion import OpenAICompletionsHandler  # noqa: E402


def handler_of(mode):
    h = object.__new__(OpenAICompletionsHandler)
    h.is_fc_model = mode == "fc"
    return h


HANDLERS = {mode: handler_of(mode) for mode in ("fc", "prompt")}
MODELS = {
    u2d: next(n.replace("/", "_") for n, c in MODEL_CONFIG_MAPPING.items() if c.underscore_to_dot is u2d and "_" not in n)
    for u2d in (True, False)
}


def tagged(v):
    """Writes a Python value as the JSON that testkit.Tagged reads."""
    if v is None or isinstance(v, (bool, str, int)):
        if isinstance(v, str) and any(0xD800 <= ord(c) < 0xE000 for c in v):
            return {"$py": "str", "codepoints": [ord(c) for c in v]}
        return v
    if isinstance(v, float):
        if v != v or v in (float("inf"), float("-inf")):
            return {"$py": "float", "repr": repr(v)}
        return v
    if isinstance(v, list):
        return [tagged(x) for x in v]
    if isinstance(v, dict):
        if all(isinstance(k, str) and k != "$py" for k in v):
            return {k: tagged(x) for k, x in v.items()}
        return {"$py": "dict", "items": [[tagged(k), tagged(x)] for k, x in v.items()]}
    if isinstance(v, tuple):
        return {"$py": "tuple", "items": [tagged(x) for x in v]}
    if isinstance(v, bytes):
        return {"$py": "bytes", "hex": v.hex()}
    if isinstance(v, complex):
        return {"$py": "complex", "real": v.real, "imag": v.imag}
    if v is Ellipsis:
        return {"$py": "Ellipsis"}
    return {"$py": "object", "type": type(v).__name__, "repr": repr(v)}


def verdict(got, answer):
    """Adds upstream's verdict to an answer."""
    error = got.get("error")
    if isinstance(error, dict):  # of a conversation or a last message
        answer["valid"], answer["error_type"] = False, error.get("error_type", "")
        answer["error"] = tagged(error.get("error_message"))
        return
    answer["valid"] = got["valid"]
    if not got["valid"]:
        answer["error_type"], answer["error"] = got["error_type"], tagged(error)


serial = 0


def judge(case, answer):
    """Returns upstream's entry of the score file for one answer to a case."""
    global serial
    category, handler = case["category"], HANDLERS[answer.get("mode", "prompt")]
    entry = {"id": case.get("id", category + "_0"), "question": [], "function": case.get("function", [])}
    raw = json.loads(json.dumps(answer["raw"]))
    if "relevance" in category:
        return runner._evaluate_single_relevance_entry(handler, entry["id"], raw, entry, "m", category)
    if "multi_turn" in category:
        serial += 1
        entry.update(involved_classes=case["involved_classes"], initial_config=case["initial_config"])
        try:
            return runner._evaluate_single_multi_turn_entry(
                handler, entry["id"], raw, case["possible_answer"], entry, f"m{serial}", category)
        finally:  # upstream keeps every world
            for name in [n for n in vars(multi_turn_utils) if n.endswith("_instance")]:
                delattr(multi_turn_utils, name)
    if category.startswith(("memory", "web_search")):
        return runner._evaluate_single_agentic_entry(handler, entry["id"], raw, case["possible_answer"], entry, "m", category)
    language = runner.Language.JAVA if "java" in category and "javascript" not in category else (
        runner.Language.JAVASCRIPT if "javascript" in category else runner.Language.PYTHON)
    return runner._evaluate_single_ast_entry(
        handler, entry["id"], raw, case["possible_answer"], entry, MODELS[bool(case.get("u2d"))], category,
        language, ReturnFormat(answer.get("format", language.value)), bool(answer.get("tag")))


def judged(case):
    """Adds upstream's verdicts to all answers of a case."""
    for answer in case["answers"]:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                verdict(judge(case, answer), answer)
        except Exception as e:  # the whole evaluation would stop
            answer["raised"] = type(e).__name__
    return case


def outcome(f, *args):
    try:
        return {"out": tagged(f(*args))}
    except Exception as e:
        return {"exc": type(e).__name__, "msg": str(e)}


def decoded(row, form):
    """Adds upstream's readings to a text in a form."""
    text, tag = row["in"], row.get("tag", False)
    if form == "fc":
        row["decode_ast"] = reading(lambda: HANDLERS["fc"].decode_ast(json.loads(json.dumps(text)), None, False))
        row["decode_execute"] = outcome(HANDLERS["fc"].decode_execute, json.loads(json.dumps(text)), False)
        return row
    row["ast_parse"] = outcome(utils.ast_parse, text, ReturnFormat(form), tag)
    row["decode_ast"] = reading(lambda: utils.default_decode_ast_prompting(text, ReturnFormat(form), tag))
    if form == "python":
        row["decode_execute"] = outcome(utils.default_decode_execute_prompting, text, tag)
    return row


def reading(f):
    try:
        out = f()
    except Exception as e:
        return {"exc": type(e).__name__, "msg": str(e)}
    return {"out": tagged(out), "fc_format": bool(runner.is_function_calling_format_output(out)), "empty": bool(runner.is_empty_output(out))}
