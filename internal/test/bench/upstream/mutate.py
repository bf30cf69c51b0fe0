"""Changes right answers by rules, and writes them as a model would.

An answer is a list of calls (name, {parameter: value}). Each rule takes a
random source and one of these; the same seed gives the same answers.
"""
import json
import re


def accepted(rng, function):
    """Returns one of the accepted sets of arguments of a possible answer's function."""
    name, parameters = next(iter(function.items()))
    args = {}
    for p, values in parameters.items():
        given = [v for v in values if v != ""]
        if not given or ("" in values and rng.random() < 0.4):
            continue
        args[p] = plain(rng, rng.choice(given))
    return name, args


def plain(rng, v):
    """A dict among accepted values lists accepted values by key."""
    if isinstance(v, dict):
        out = {}
        for k, values in v.items():
            values = values if isinstance(values, list) else [values]
            given = [x for x in values if x != ""]
            if given and not ("" in values and rng.random() < 0.4):
                out[k] = plain(rng, rng.choice(given))
        return out
    if isinstance(v, list):
        return [plain(rng, x) for x in v]
    return v


# Values: each rule returns another value, or the same if it does not apply.

def other_case(rng, v):
    return rng.choice([str.upper, str.lower, str.title, str.swapcase])(v)


def punctuation(rng, v):
    at = rng.randint(0, len(v))
    return v[:at] + rng.choice(" ,./-_*^'\"()!:;\t\u00a0") + v[at:]


def letters(rng, v):
    at = rng.randint(0, len(v))
    return rng.choice([v[:at] + v[at + 1:], v[:at] + rng.choice("xé中😀İßﬁ0") + v[at:], v + v[-1:], v.replace(" ", ""), "", v[::-1], v.strip(".")])


def number(rng, v):
    return rng.choice([v + 1, v - 1, -v, v * 10, float(v), str(v), v + 0.5, int(v), 0, 10 ** 20, repr(float(v)), v == 1])


def truth(rng, v):
    return rng.choice([not v, int(v), str(v), str(v).lower(), None])


def elements(rng, v):
    at = rng.randint(0, max(len(v) - 1, 0))
    one = v[at:at + 1]
    return rng.choice([v[:at] + v[at + 1:], v + one, v[::-1], tuple(v), [v], v + [None], [], one[0] if one else "",
                       v[:at] + [value(rng, x) for x in one] + v[at + 1:], [list(v)] + v[1:], str(v), dict.fromkeys(map(str, v), 1)])


def keys(rng, v):
    out = dict(v)
    k = rng.choice(list(v) or ["key"])
    match rng.randint(0, 6):
        case 0: out.pop(k, None)
        case 1: out["extra"] = 1
        case 2: out[k.upper()] = out.pop(k, "")
        case 3: out = dict(reversed(v.items()))
        case 4: return rng.choice([[v], str(v), {}, list(v.items())])
        case _: out[k] = value(rng, v.get(k))
    return out


def value(rng, v):
    if rng.random() < 0.06:
        return rng.choice([None, "", [], {}, 0, False, "None", [None], v])
    if isinstance(v, str):
        return rng.choice([other_case, punctuation, letters])(rng, v)
    for kind, rule in ((bool, truth), ((int, float), number), ((list, tuple), elements), (dict, keys)):
        if isinstance(v, kind):
            return rule(rng, list(v) if isinstance(v, tuple) else v)
    return rng.choice(["None", 0, "null"])


# Calls: each rule returns a name for itself and other calls.

def change(rng, calls):
    """Applies one rule to calls; returns the rule's name and the calls."""
    calls = [(n, dict(a)) for n, a in calls]
    at = rng.randrange(len(calls)) if calls else 0
    rule = rng.choice(["same", "value", "value", "value", "value", "two values", "drop", "more", "parameter", "name", "dots", "order", "fewer", "again", "none", "parameters"])
    if not calls or rule in ("same", "none"):
        return rule, [] if rule == "none" else calls
    name, args = calls[at]
    p = rng.choice(list(args)) if args else None
    match rule:
        case "value" if p:
            args[p] = value(rng, args[p])
        case "two values" if p:
            for q in rng.sample(list(args), min(2, len(args))):
                args[q] = value(rng, args[q])
        case "drop" if p:
            del args[p]
        case "more":
            args[rng.choice(["extra", "verbose", (p or "x") + "_2"])] = rng.choice([1, "x", None, [1]])
        case "parameter" if p:
            args[rng.choice([p.upper(), p + "_", p[1:] or "q"])] = args.pop(p)
        case "parameters":
            calls[at] = (name, dict(reversed(args.items())))
        case "name":
            calls[at] = (rng.choice([name.upper(), name + "_v2", name[:-1], name.split(".")[-1], "call"]), args)
        case "dots":
            calls[at] = (name.replace(".", "_"), args)
        case "order":
            rng.shuffle(calls)
        case "fewer":
            del calls[at]
        case "again":
            calls.insert(rng.randint(0, len(calls)), (name, dict(args)))
    return rule, calls


# Texts.

def json_value(v):
    return v if not isinstance(v, tuple) else list(v)


def fc(calls):
    return [{n: json.dumps(a, ensure_ascii=False, default=json_value)} for n, a in calls]


def identifier(p):
    return re.fullmatch(r"[A-Za-z_]\w*", p) is not None


def python(rng, calls):
    comma, equals = rng.choice([", ", ",", ",\n "]), rng.choice(["=", "=", " = "])
    text = lambda v: rng.choice([repr, repr, lambda x: json.dumps(x, ensure_ascii=False) if isinstance(x, str) else repr(x)])(v)
    parts = [n + "(" + comma.join(p + equals + text(v) for p, v in a.items()) + ")" for n, a in calls]
    return "[" + comma.join(parts) + "]"


def java_value(v, kind=None, item=None):
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, int):
        return f"{v}L" if kind == "long" else str(v)
    if isinstance(v, float):
        return f"{v!r}f" if kind == "float" else repr(v)
    if isinstance(v, (list, tuple)):
        inner = ", ".join(java_value(x, item) for x in v)
        name = {"integer": "Integer", "long": "Long", "float": "Float", "double": "Double", "boolean": "Boolean"}.get(item, "String")
        return f"new ArrayList<{name}>(Arrays.asList({inner}))" if kind != "Array" else "new %s[]{%s}" % (name, inner)
    if isinstance(v, dict):
        return "new HashMap<String, Object>() {{ " + "".join(f'put("{k}", {java_value(x)}); ' for k, x in v.items()) + "}}"
    if v is None:
        return "null"
    if kind == "char":
        return f"'{v}'"
    bare = kind == "any" and re.fullmatch(r"[\w.]+|new .*", v)
    return v if bare else json.dumps(v, ensure_ascii=False)


def js_value(v, kind=None, item=None):
    if isinstance(v, bool):
        return str(v).lower()
    if isinstance(v, int) and kind == "Bigint":
        return f"{v}n"
    if isinstance(v, (list, tuple)):
        return "[" + ", ".join(js_value(x, item) for x in v) + "]"
    if isinstance(v, dict):
        return "{" + ", ".join(f"{k if identifier(k) else json.dumps(k)}: {js_value(x)}" for k, x in v.items()) + "}"
    if isinstance(v, str):
        return v if kind == "any" and re.fullmatch(r"[\w.]+", v) else json.dumps(v, ensure_ascii=False)
    return "null" if v is None else repr(v)


def kinds(docs, name, p):
    """The documented type of a parameter, and of its elements."""
    for d in docs:
        if d["name"] in (name, name.replace("_", ".")):
            doc = d["parameters"]["properties"].get(p, {})
            return doc.get("type"), (doc.get("items") or {}).get("type")
    return None, None


def typed(calls, docs, write):
    return [(n, {p: write(v, *kinds(docs, n, p)) for p, v in a.items()}) for n, a in calls]


def written(rng, calls, case):
    """An answer of a model to a case: its mode and its text or calls."""
    docs, category = case["function"], case["category"]
    write = js_value if "javascript" in category else java_value if "java" in category else None
    if rng.random() < 0.5:
        if write:  # values are texts; strings stand without quotes
            bare = lambda v, kind, item: v if isinstance(v, str) and rng.random() < 0.8 else write(v, kind, item)
            calls = typed(calls, docs, bare)
        return {"mode": "fc", "raw": fc(calls)}
    if not write:
        return {"raw": python(rng, calls)}
    texts = [n + "(" + ", ".join(f"{p}={v}" for p, v in a.items()) + ")" for n, a in typed(calls, docs, write)]
    return {"raw": rng.choice(["[%s]", "%s", "`[%s]`"]) % ", ".join(texts)}


def wrapped(rng, text):
    """The same text as models wrap it."""
    return rng.choice(["{}", "{}\n", " {} ", "`{}`", "```\n{}\n```", "```python\n{}\n```", "'{}'", "Here: {}", "{}.", "{} // done", "{};", "{}\r\n"]).replace("{}", text)


def damaged(rng, text):
    """A text with one to three characters changed."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        text = rng.choice([text[:at] + text[at + 1:], text[:at] + rng.choice("()[]{}=,'\"\\ \n.x1é-+#;:") + text[at:], text[:at] + text[at:at + 1] + text[at:], text[:at]])
    return text


def beside(rng, text):
    """A Java or JavaScript text with something beside its call, or without a token."""
    inner = text.strip("`\n ").removeprefix("[").removesuffix("]")
    at = rng.choice([m.start() for m in re.finditer(r'[(),=\[\]{}"]', inner)] or [0])
    more = rng.choice(["x", "done", "OK ok", '"q"', "'c'", "(a)", "[a]", "{}", "{a; b}", "y()", inner, ";", ")", "]", "}", ".x", ".[x]", "+", "=", "?", "?:", "return", "new", "5", "// n", "/* n */ x"])
    blank = rng.choice(["", " ", "\n"])
    return rng.choice([
        inner + blank + more, inner + blank + more, more + blank + inner, inner[:at] + more + inner[at:], inner[:at] + inner[at + 1:],
        "([%s])" % inner, "x([%s])" % inner, "{(%s)}" % inner, "for (;;) %s x" % inner, "if (x) %s y" % inner, "var x = %s y" % inner, "while (%s x" % inner])


def builtin(rng, call):
    """A conversation's call with one of Python's builtins around a value."""
    values = list(re.finditer(r"(?<==)('[^']*'|-?\d+(?:\.\d+)?)(?=[,)])", call))
    if not values:
        return call
    m = rng.choice(values)
    around = ["str(object=%s)", "dict(a=%s)", "bytes(source=%s, encoding='utf-8')", "str(object=bytes(source=%s, encoding='utf-8'), encoding='utf-8')", "list(iterable=%s)", "unknown(text=%s)", "chr(i=%s)"]
    if m[0][0] != "'":
        around = ["str(object=%s)", "complex(real=%s)", "pow(base=%s, exp=1)", "pow(base=%s, exp=200, mod=13)", "round(number=%s, ndigits=None)", "int(x=%s)", "hex(number=%s)", "sum(iterable=[%s])", "max(iterable=[%s])"]
    return call[:m.start()] + rng.choice(around) % m[0] + call[m.end():]


def probed(rng, case):
    """Changes some answers to an official case further, by what most differences came from."""
    for answer in case["answers"][1:]:
        if rng.random() < 0.3 and "java" in case["category"] and isinstance(answer["raw"], str):
            answer |= {"raw": beside(rng, answer["raw"]), "rule": "beside"}
        if rng.random() < 0.3 and "multi_turn" in case["category"] and isinstance(answer["raw"], list):
            answer |= {"raw": [[builtin(rng, s) if isinstance(s, str) else s for s in t] for t in answer["raw"] if isinstance(t, list)], "rule": "builtin"}


def answers(rng, case, n):
    """Returns n answers to a single-turn case; the first is right."""
    out = []
    for i in range(n):
        rule, calls = "right", [accepted(rng, f) for f in case["possible_answer"]]
        if i:
            rule, calls = change(rng, calls)
        answer = written(rng, calls, case)
        if i and isinstance(answer["raw"], str) and rng.random() < 0.3:
            rule, do = rng.choice([("wrapped" if calls else "damaged", wrapped), ("damaged", damaged), ("brackets", lambda _, text: f"[{text}]")])
            answer["raw"] = do(rng, answer["raw"])
        out.append(dict(answer, rule=rule))
    return out


def relevance(rng, calls, n):
    """Returns n answers of which it only counts whether they are calls."""
    texts = ["", "[]", "[ ]", "None", "()", "{}", "I cannot help with that.", "[None]", "f", "[f]", "f()", "[f(), g()]", "f(x)", "x = 1", "[1]", "'f()'", "[f(]", "[[f()]]", "f().g()", "# f()"]
    out = []
    for _ in range(n):
        rule, changed = change(rng, calls)
        text = python(rng, changed)
        rule, raw = rng.choice([
            (rule, text), (rule, fc(changed)), ("wrapped", wrapped(rng, text)), ("damaged", damaged(rng, text)), ("chat", rng.choice(texts)),
            ("odd", rng.choice([[], [{}], [{"f": ""}], [{"f": "{}"}], [{"f": "[1]"}], [{"f": "null"}], None, {}, [[]], ["f()"]]))])
        out.append({"mode": "prompt" if isinstance(raw, str) and rng.random() < 0.9 else "fc", "raw": raw, "rule": rule})
    return out


# Conversations: turns of calls as text, of the reference.

def harmless(rng):
    return rng.choice(["ls()", "pwd()", "nothing()", "ls(a=True)", "cat(file_name='none')", "get_ticket(ticket_id=-1)", "displayCarStatus(option='fuel')"])


def step(rng, call):
    """Changes a call's text a little."""
    numbers = list(re.finditer(r"\d+", call))
    texts = list(re.finditer(r"'[^']*'", call))
    if numbers and rng.random() < 0.5:
        m = rng.choice(numbers)
        return call[:m.start()] + rng.choice([str(int(m[0]) + 1), m[0] + ".0", "-" + m[0], "'" + m[0] + "'"]) + call[m.end():]
    if texts:
        m = rng.choice(texts)
        return call[:m.start()] + repr(letters(rng, m[0][1:-1])) + call[m.end():]
    return call.replace("(", "2(", 1)


def conversation(rng, reference):
    """Changes a conversation: a rule's name and turns of calls."""
    turns = [list(t) for t in reference]
    full = [i for i, t in enumerate(turns) if t]
    rule = rng.choice(["same", "step", "step", "drop", "again", "order", "earlier", "later", "harmless", "harmless", "empty turn", "fewer turns", "more turns", "where nothing", "none"])
    if not full:
        return "same", turns
    i = rng.choice(full)
    k = rng.randrange(len(turns[i]))
    match rule:
        case "step": turns[i][k] = step(rng, turns[i][k])
        case "drop": del turns[i][k]
        case "again": turns[i].insert(k, turns[i][k])
        case "order": rng.shuffle(turns[i])
        case "earlier" if i: turns[i - 1].append(turns[i].pop(k))
        case "later" if i + 1 < len(turns): turns[i + 1].insert(0, turns[i].pop(k))
        case "harmless": turns[i].insert(k, harmless(rng))
        case "empty turn": turns[i] = []
        case "fewer turns": turns.pop()
        case "more turns": turns.append([])
        case "where nothing": rng.choice(turns).append(harmless(rng))
        case "none": turns = [[] for _ in turns]
    return rule, turns


def spoken(rng, turns):
    """A result of turns: one or several calls a step, then a message."""
    out = []
    for calls in turns:
        steps, i = [], 0
        while i < len(calls):
            n = rng.randint(1, 3)
            steps.append("[" + ", ".join(calls[i:i + n]) + "]")
            i += n
        out.append(steps + rng.choice([["Done."], ["All is done (as asked)."], [], [""]]))
    return out


def conversations(rng, case, n):
    """Returns n results; "spoken" is the reference as models write it."""
    out, reference = [], case.get("spoken", case["possible_answer"])
    for i in range(n):
        rule, turns = ("right", reference) if i == 0 else conversation(rng, reference)
        raw = spoken(rng, turns)
        if rng.random() < 0.02:
            rule, raw = "odd", rng.choice(["Error during inference: timed out", [], [[]] * len(turns), [["text"]] * len(turns)])
        out.append({"mode": "prompt", "raw": raw, "rule": rule})
    return out


def messages(rng, case, n):
    """Last messages of agentic cases: a result is one turn of steps."""
    out = []
    for _ in range(n):
        said = rng.choice(case["possible_answer"])
        rule = rng.choice(["right", "case", "punctuation", "letters", "glued", "split", "after", "before", "calls", "turns", "other"])
        frame = rng.choice(["{}", "It is {}.", "The answer: ({})!", "{'answer': '{}', 'context': 'as found'}", "**{}**", "maybe {}, maybe not", "«{}»", "1{}", "{}s"])
        match rule:
            case "case": said = other_case(rng, said)
            case "punctuation": said = punctuation(rng, said)
            case "letters": said = letters(rng, said)
            case "split": said = said.replace(" ", rng.choice(["", "  ", "_", "\n", "-", "\u00a0"]))
            case "glued": said = "x" + said
            case "other": said = "none of these"
        text, call = frame.replace("{}", said), [{"search": "{}"}]
        steps = {"after": [text, call], "before": [text, "Good bye."], "calls": [call, call]}.get(rule, [call, text])
        raw = [steps, []] if rule == "turns" else [steps]
        if rng.random() < 0.04:
            rule, raw = "odd", rng.choice(["text", [], [[]], [[""]], [[None]], [[[]]], [[text, ""]]])
        out.append({"mode": "fc", "raw": raw, "rule": rule})
    return out
