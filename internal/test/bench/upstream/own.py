"""This project's own functions and questions, by which public tests judge.

A seeded generator makes most cases; what matters most is written by hand.
"""
import random

import mutate

WORDS = "kiln moss otter quartz ferry lantern orchard pebble saddle thimble violet walnut".split()
TEXTS = ["Old Mill Lane", "Grünau, 2nd floor", "o'clock", "3.5 kg", "São Tomé", "a-b_c", "7/8", "北の港", "ready", "Rye & Spelt", "x^2", "", "UPPER lower", "tab\there", 'say "hi"']


def function(name, properties, required=None):
    return {"name": name, "description": "", "parameters": {
        "type": "dict", "properties": properties, "required": list(properties) if required is None else required}}


def typ(kind, item=None, **more):
    return dict({"type": kind}, **({"items": {"type": item}} if item else {}), **more)


def sample(rng, kind, item=None):
    """A value of a documented type, as a possible answer states it."""
    match kind:
        case "integer" | "long" | "short" | "byte" | "Bigint": return rng.choice([0, 1, -3, 12, 100, 2 ** 31])
        case "float" | "double": return rng.choice([0.0, 1.0, 2.5, -0.25, 1e-3, 1e6])
        case "boolean" | "Boolean": return rng.random() < 0.5
        case "array" | "tuple" | "Array" | "ArrayList": return [sample(rng, item or "string") for _ in range(rng.randint(0, 3))]
        case "dict" | "HashMap": return {w: [sample(rng, rng.choice(["integer", "string", "boolean"])), ""][: rng.randint(1, 2)] for w in rng.sample(WORDS, rng.randint(1, 3))}
        case "char": return rng.choice("qz7é")
        case "any": return rng.choice(["boilerRef", "7", "new Kiln(3)", "Grade.FINE"])
    return rng.choice(TEXTS[:11])


KINDS = {
    "simple_python": [("integer", None), ("float", None), ("string", None), ("boolean", None), ("any", None), ("dict", None)]
    + [("array", i) for i in ("integer", "float", "string", "boolean", "dict", "array")] + [("tuple", "integer"), ("tuple", "string")],
    "simple_java": [(k, None) for k in ("byte", "short", "integer", "long", "float", "double", "boolean", "char", "String", "any", "HashMap")]
    + [("Array", i) for i in ("integer", "String", "long", "boolean")] + [("ArrayList", i) for i in ("integer", "String", "float", "char")],
    "simple_javascript": [(k, None) for k in ("String", "integer", "float", "Bigint", "Boolean", "dict", "any")]
    + [("array", i) for i in ("integer", "String", "float", "Boolean", "array")],
}


def made(rng, category, functions=1):
    """A case with as many functions, and the functions' accepted arguments."""
    docs, wanted = [], []
    for i in range(functions):
        chosen = {rng.choice(WORDS) + str(k): rng.choice(KINDS[category]) for k in range(rng.randint(1, 4))}
        required = [p for p in chosen if rng.random() < 0.7]
        name = rng.choice(["{}", "{}.{}", "{}_{}", "{}.{}.{}"]).replace("{}", rng.choice(WORDS)) + str(i)
        docs.append(function(name, {p: typ(*k) for p, k in chosen.items()}, required))
        answer = {}
        for p, k in chosen.items():
            values = [sample(rng, *k) for _ in range(rng.randint(1, 2))]
            if k == ("array", "dict"):
                values = [[sample(rng, "dict")] for _ in values]
            if k == ("array", "array"):
                values = [[[1, 2], [3]] for _ in values]
            answer[p] = values + ([""] if p not in required else [])
        wanted.append({name: answer})
    return docs, wanted


def calls(seed, each):
    """Cases of every rule and language, each with some answers."""
    rng = random.Random(seed)
    for i in range(each):
        for category in KINDS:
            docs, wanted = made(rng, category)
            yield dict(category=category, u2d=rng.random() < 0.3, function=docs, possible_answer=wanted)
        docs, wanted = made(rng, "simple_python", rng.randint(2, 3))
        yield dict(category="multiple", u2d=i % 2 == 0, function=docs, possible_answer=wanted[:1])
        yield dict(category="parallel_multiple", u2d=i % 3 == 0, function=docs, possible_answer=wanted + rng.sample(wanted, 1))
        twice = [wanted[0]] + [dict(made_again(rng, docs[0])) for _ in range(rng.randint(1, 2))]
        yield dict(category="parallel", u2d=False, function=docs[:1], possible_answer=twice)


def made_again(rng, doc):
    """Other arguments for a function."""
    answer = {}
    for p, d in doc["parameters"]["properties"].items():
        kind = (d["type"], d.get("items", {}).get("type"))
        one = [sample(rng, "dict")] if kind == ("array", "dict") else [[5, 6]] if kind == ("array", "array") else sample(rng, *kind)
        answer[p] = [one] + ([] if p in doc["parameters"]["required"] else [""])
    return {doc["name"]: answer}


def generated(seed, each, n):
    rng = random.Random(seed + 1)
    for case in calls(seed, each):
        yield dict(case, answers=mutate.answers(rng, case, n))


# By hand: what a value may be, and what a rule must notice.

OVEN = function("oven.bake", {
    "loaf": typ("string"), "minutes": typ("integer"), "heat": typ("float"), "steam": typ("boolean"),
    "grains": typ("array", "string"), "marks": typ("tuple", "integer"), "label": typ("dict"), "trays": typ("array", "dict"), "note": typ("any")}, ["loaf", "minutes"])
BAKED = {"oven.bake": {
    "loaf": ["Rye Bread", "rye"], "minutes": [40, 45], "heat": [220.5, 220.0, ""], "steam": [True, ""], "grains": [["Rye", "spelt"], []], "marks": [[1, 2], ""],
    "label": [{"shop": ["Mira's", "mira"], "price": [3, 4.5], "tag": ["", "new"]}, ""], "trays": [[{"row": [1], "full": [True, ""]}, {"row": [2]}], ""], "note": ["soft", ""]}}
LEAST = "loaf='rye', minutes=40, grains=[]"

ARGUMENTS = [
    "", "heat=220", "heat=220.0", "heat=221", "heat='220'", "heat=True", "heat=None", "heat=1j", "heat=-220", "heat=2.2e2", "heat=220.5",
    "steam=True", "steam=1", "steam='True'", "steam=False", "steam=true", "steam=None",
    "note='SOFT'", "note=soft", "note=5", "note='so ft'", "note='hard'", "note=...", "note=b'soft'", "note=''",
    "marks=(1, 2)", "marks=[1, 2]", "marks=(2, 1)", "marks=(1,)", "marks='1, 2'", "marks=[1.0, 2.0]", "marks=(1, '2')", "marks=[True, 2]", "marks={1, 2}", "marks=()",
    "label={'shop': 'MIRAS', 'price': 3}", "label={'shop': 'Mira\\'s', 'price': 4.5, 'tag': 'new'}", "label={'shop': 'mira'}", "label={'price': 3}", "label={'shop': 'mira', 'price': 3, 'size': 1}",
    "label={'shop': 'mira', 'price': 3.0}", "label={'shop': 'mira', 'price': '3'}", "label={'shop': 'mira', 'price': True}", "label={}", "label=[]", "label='mira'", "label={'shop': ['mira'], 'price': 3}",
    "label={'shop': 'mira', 'price': 3, 'tag': ''}", "label={'shop': 'mira', 'price': 3, 'tag': None}", "label=dict(shop='mira', price=3)", "label={1: 2}",
    "trays=[{'row': 1}, {'row': 2}]", "trays=[{'row': 1, 'full': True}, {'row': 2}]", "trays=[{'row': 2}, {'row': 1}]", "trays=[{'row': 1}]", "trays=[]", "trays={'row': 1}", "trays=[{'row': 1}, 2]",
    "trays=[{'row': 1, 'full': False}, {'row': 2}]", "trays=[{'row': 1}, {'row': 2, 'full': True}]", "trays=({'row': 1}, {'row': 2})", "trays=[{}, {}]",
    "flour=1", "minutes=40", "Loaf='rye'", "**{'note': 'soft'}", "'rye'", "note=bake(x=1)", "note=bake(1)", "note=a.b", "note=a[0]", "note=-1", "note=- 1", "note=not True", "note='a' 'b'", "note='so' 'ft'", "heat=220 + 0.5", "heat=441 / 2",
]
WHOLE = [
    "oven.bake(%s)", "[oven.bake(%s)]", " [oven.bake(%s)] ", "`oven.bake(%s)`", "```\noven.bake(%s)\n```", "'oven.bake(%s)'", "[oven.bake(%s)", "oven.bake(%s)]", "(oven.bake(%s))", "[(oven.bake(%s))]",
    "[oven.bake(%s), oven.bake(%s)]", "[oven.bake(%s),]", "oven_bake(%s)", "bake(%s)", "Oven.bake(%s)", "oven . bake(%s)", "oven.bake (%s)", "oven.bake(%s).now()", "oven.bake(%s); pass", "x = oven.bake(%s)", "oven.bake(%s) # hot",
    "oven.bake(\n%s\n)", "Sure: oven.bake(%s)", "[[oven.bake(%s)]]", "{oven.bake(%s)}", "oven.bake(%s", "oven.bake%s)", "[]", "", "None", "oven.bake", "await oven.bake(%s)", "lambda: oven.bake(%s)", "oven.bake(%s)()", "oven['bake'](%s)", "oven.bake(%s) or 1",
]
LOAVES = ["loaf='RYE'", "loaf='r.y.e'", "loaf='rye bread'", "loaf='rye\\u00a0bread'", "loaf='Rye_Bread'", "loaf='rye/bread'", "loaf='rye\\tbread'", "loaf='rye!'", "loaf='r^y*e'", "loaf='rÿe'", "loaf=rye", "loaf=5", "loaf=None", "loaf=['rye']", "loaf=''", "loaf='(rye)'", "loaf=b'rye'", "loaf=f'rye'", "loaf=r'rye'", "loaf=u'rye'"]
MINUTES = ["40", "45", "41", "40.0", "'40'", "-40", "+40", "40L", "0x28", "4_0", "True", "None", "[40]", "20 + 20", "80 // 2", "1e999", "040", "40j", "10 ** 400 % 41", "1 if 1 else 2"]
GRAINS = ["['rye', 'SPELT']", "['spelt', 'rye']", "['rye']", "['rye', 'spelt', 'oat']", "('rye', 'spelt')", "[]", "'rye'", "[1]", "[rye, spelt]", "['rye', None]", "[['rye'], 'spelt']", "['r.y.e', 's-pelt']", "[x for x in 'ab']", "[*'ab']"]


def oven():
    texts = ["oven.bake(" + ", ".join(x for x in (LEAST, a) if x) + ")" for a in ARGUMENTS]
    texts += [w.replace("%s", LEAST) for w in WHOLE]
    texts += [f"oven.bake({x}, minutes=40, grains=[])" for x in LOAVES]
    texts += [f"oven.bake(loaf='rye', minutes={x}, grains=[])" for x in MINUTES]
    texts += [f"oven.bake(loaf='rye', minutes=40, grains={x})" for x in GRAINS]
    texts += ["oven.bake(loaf='rye', grains=[])", "oven.bake(minutes=40, grains=[])", "oven.bake(loaf='rye', minutes=40)", "oven.bake()"]
    return [{"raw": t} for t in texts] + [{"mode": "fc", "raw": r} for r in (
        [{"oven.bake": '{"loaf": "rye", "minutes": 40, "grains": []}'}], [{"oven_bake": '{"loaf": "rye", "minutes": 40, "grains": []}'}],
        [{"oven.bake": '{"loaf": "rye", "minutes": 40.0, "grains": []}'}], [{"oven.bake": '{"loaf": "rye", "minutes": 40, "grains": null}'}],
        [{"oven.bake": '{"loaf": "rye", "minutes": 4e1, "grains": []}'}], [{"oven.bake": '{"loaf": "rye", "minutes": NaN, "grains": []}'}],
        [{"oven.bake": '{"loaf": "ox", "loaf": "rye", "minutes": 40, "grains": []}'}], [{"oven.bake": '{"loaf": "\\ud800", "minutes": 40, "grains": []}'}],
        [{"oven.bake": {"loaf": "rye"}}], [{"oven.bake": "loaf"}], [{"oven.bake": "[]"}], [{"oven.bake": '"x"'}], [{"oven.bake": ""}], [{}], [], None, "oven.bake()", [{"oven.bake": "{}", "other": "{}"}], [[]], [None], [5],
        [{"oven.bake": '{"loaf": "rye", "minutes": 40, "grains": []}'}, {"oven.bake": '{"loaf": "rye", "minutes": 40, "grains": []}'}])]


PAIR = [function("lamp.light", {"room": typ("string"), "level": typ("integer")}), function("door.lock", {"room": typ("string")})]
LIT = [{"lamp.light": {"room": ["hall"], "level": [1, 2]}}, {"door.lock": {"room": ["hall", "attic"]}}, {"lamp.light": {"room": ["hall", "attic"], "level": [2]}}]
L1, L2, L3, D = "lamp.light(room='hall', level=1)", "lamp.light(room='hall', level=2)", "lamp.light(room='attic', level=2)", "door.lock(room='attic')"
ORDERS = [[L1, D, L2], [L2, D, L1], [D, L3, L1], [L2, L2, D], [L1, L1, D], [L3, L3, D], [L1, D], [L1, D, L2, D], [D, D, L1], [L2, L1, D], [], [D], [L1, D, "lamp.light(room='hall')"], [L1, "door.lock(room='cellar')", L2], ["lamp.light(room='hall', level='1')", D, L2]]

BEE = function("Hive.open", {"frames": typ("integer"), "weight": typ("float"), "mass": typ("double"), "age": typ("long"), "calm": typ("boolean"), "mark": typ("char"), "keeper": typ("String"), "ref": typ("any"),
                             "rows": typ("Array", "integer"), "names": typ("ArrayList", "String"), "box": typ("HashMap"), "set": typ("Set")}, ["frames"])
OPENED = {"Hive.open": {"frames": [8], "weight": [2.5, ""], "mass": [3.0, ""], "age": [9, ""], "calm": [True, ""], "mark": ["q", ""], "keeper": ["Ana Lu", ""], "ref": ["hiveRef", ""],
                        "rows": [[1, 2], ""], "names": [["ada", "bo"], ""], "box": [{"depth": [3], "wood": ["pine"]}, ""], "set": ["x", ""]}}
JAVA = ["weight=2.5f", "weight=2.5F", "weight=2.5", "weight=2.5d", "weight=25e-1f", "mass=3.0", "mass=3", "mass=3f", "mass=-3.0", "age=9L", "age=9l", "age=9", "age=-9L", "calm=true", "calm=TRUE", "calm=false", "calm=\"true\"", "mark='q'", "mark=\"q\"", "mark='z'",
        "keeper=\"ana lu\"", "keeper=ana", "keeper=\"Ana, Lu\"", "keeper=\"Ana (Lu)\"", "keeper=\"\"", "keeper=null", "ref=hiveRef", "ref=\"hiveRef\"", "ref=hive.ref()", "ref=new Hive(3)", "ref=Hive.class",
        "rows=new int[]{1, 2}", "rows=new int[]{1,2}", "rows=new int[] {2, 1}", "rows=new int[2]", "rows=new int[]{}", "rows={1, 2}", "rows=1", "names=new ArrayList<>(Arrays.asList(\"ada\", \"bo\"))", "names=new ArrayList<String>(Arrays.asList(\"Ada\",\"B.o\"))",
        "names=new ArrayList<String>() {{ add(\"ada\"); add(\"bo\"); }}", "names=new ArrayList<>()", "names=Arrays.asList(\"ada\", \"bo\")", "names=List.of(\"ada\", \"bo\")", "box=new HashMap<String, Object>() {{ put(\"depth\", 3); put(\"wood\", \"pine\"); }}",
        "box=new HashMap<>()", "box=Map.of(\"depth\", 3)", "set=new HashSet<>()", "extra=1", "frames=9", "3", "keeper=\"Ana\" + \"Lu\"", "keeper=\"Zoë\"", "ref=a[0]", "ref=(int) 3", "ref=x -> x", "keeper=\"a\\\"b\""]
INDEXED = ["[f(a=123456)].x", "[f(a=123456)].g()", "[f(a=1)][g()]", "[f(a=1)];", "[f(a=1)].g();", "[f(a=1)] + g(b=12345)", "[f(a=1)]++", "[f(a=123)] = 3;", "[f(a=1234)]; g()", "[f(a=1234)]; g();", "[x]; g(b=1);", "[]", "[1234567890]", "[f(a=12345),]", "[];", "[x].f(a=1234)"]
TIDE = function("tide.chart", {"port": typ("String"), "days": typ("integer"), "height": typ("float"), "big": typ("Bigint"), "live": typ("Boolean"), "opts": typ("dict"), "list": typ("array", "integer"), "names": typ("array", "String"), "cb": typ("any")}, ["port"])
CHARTED = {"tide.chart": {"port": ["St Malo"], "days": [3, ""], "height": [4.5, 4.0, ""], "big": [7, ""], "live": [False, ""], "opts": [{"unit": ["m"], "step": [10]}, ""], "list": [[1, 2], ""], "names": [["ebb", "flow"], ""], "cb": ["onTide", ""]}}
SCRIPT = ["days=3", "days=3.0", "days='3'", "days=-3", "height=4.5", "height=4", "height=.5", "height=4.50", "big=7n", "big=7", "live=false", "live=False", "live=!true", "opts={unit: 'm', step: 10}", "opts={'unit': \"m\", 'step': 10}", "opts={step: 10}", "opts={}", "opts={unit: 'm', step: '10'}",
          "list=[1, 2]", "list=[1,2,3]", "list=[]", "list=new Array(1, 2)", "list=['1', '2']", "names=['ebb', 'flow']", "names=[\"Ebb\", \"fl-ow\"]", "names=['flow', 'ebb']", "names=[ebb, flow]", "cb=onTide", "cb='onTide'", "cb=() => 1", "cb=function (x) { return x }", "cb=null", "cb=undefined",
          "cb=new Map()", "cb=`x`", "cb=/x/", "extra=1", "port='x'", "...rest", "cb=a.b.c", "cb=f(1)", "days=1 + 2", "cb=[...x]", "opts={unit: {deep: 1}, step: 10}", "opts={unit: ['m'], step: 10}", "cb='Zoë'"]


def by_hand():
    yield dict(category="simple_python", function=[OVEN], possible_answer=[BAKED], answers=oven())
    yield dict(category="simple_python", u2d=True, function=[OVEN], possible_answer=[BAKED], answers=[{"raw": n + f"({LEAST})"} for n in ("oven.bake", "oven_bake", "ovenbake")])
    both = [{"raw": "[" + ", ".join(o) + "]"} for o in ORDERS]
    yield dict(category="parallel_multiple", function=PAIR, possible_answer=LIT, answers=both)
    yield dict(category="parallel", function=PAIR[:1], possible_answer=[LIT[0], LIT[2]], answers=[{"raw": "[" + ", ".join(o) + "]"} for o in ([L1, L2], [L2, L1], [L1, L1], [L3, L2], [L2], [L1, L2, L3], [D, L1], [L1, L3], [])])
    yield dict(category="multiple", function=PAIR, possible_answer=LIT[1:2], answers=[{"raw": "[" + ", ".join(o) + "]"} for o in ([D], [L1], [D, D], ["door.lock(room='hall')"], ["door.lock(room='cellar')"], ["door.lock()"], ["lamp.light(room='hall')"], ["window.lock(room='hall')"], [])])
    yield dict(category="simple_java", function=[BEE], possible_answer=[OPENED], answers=[{"raw": f"Hive.open(frames=8, {a})"} for a in JAVA] + [{"raw": f"[Hive.open(frames={f})]"} for f in ("8", "8L", "\"8\"", "-8", "8.0", "a8")] + [
        {"raw": r} for r in ("Hive.open()", "open(frames=8)", "new Hive().open(frames=8)", "Hive.open(frames=8);", "[Hive.open(frames=8), Hive.open(frames=8)]", "Hive.open(frames=8", "a.Hive.open(frames=8)", "", "[[Hive.open(frames=8)]]", "[[Hive.open(frames=8)];]", "[[Hive.open(frames=8), Hive.open(frames=8)]]", "[[hop()]]", "[[Hive.open(frames=8), 1]]", "[[[Hive.open(frames=8)]]]")])
    yield dict(category="simple_javascript", function=[TIDE], possible_answer=[CHARTED], answers=[{"raw": f"tide.chart(port='St. Malo', {a})"} for a in SCRIPT] + [
        {"raw": r} for r in ("[tide.chart(port=\"st malo\")]", "tide.chart(port=StMalo)", "tide.chart()", "tide.chart({port: 'St Malo'})", "chart(port='St Malo')", "await tide.chart(port='St Malo')", "tide.chart(port='St Malo');", "tide?.chart(port='St Malo')", "tide.chart(port='St Malo'", "", "[[tide.chart(port='St Malo')]]", "[[[tide.chart(port='St Malo')]]]")])


# Whether a call was made at all.

def relevance(seed, n):
    rng = random.Random(seed)
    for category in ("irrelevance", "live_relevance"):
        yield dict(category=category, answers=mutate.relevance(rng, [("kite.fly", {"line": 30, "colour": "red"}), ("wind", {})], n))


# Last messages.

def messages(seed, n):
    rng = random.Random(seed)
    for category, answers in (("web_search_base", ["Harbour Mill", "the mill at the harbour"]), ("memory_kv", ["3.5 km", "3,500"]), ("memory_vector", ["Zoë Žak"]), ("web_search_base", ["$40", "C++ (2011)", "O'Hara-Lind"]), ("memory_kv", ["7"])):
        yield dict(category=category, possible_answer=answers, answers=mutate.messages(rng, dict(possible_answer=answers), n))


# Conversations in the worlds of the benchmark, with the project's own contents.

def folder(**contents):
    return {k.replace("__", "."): {"type": "directory", "contents": v} if isinstance(v, dict) else {"type": "file", "content": v} for k, v in contents.items()}


SHOP = {"GorillaFileSystem": {"root": folder(bakery=folder(orders__txt="rye\nspelt\nrye", old=folder(list__csv="b,2\na,1")))}, "TicketAPI": {"ticket_queue": [], "ticket_counter": 7, "current_user": "mira"}}
SUMS = {"GorillaFileSystem": {"root": folder(desk=folder(notes__md="one two three"))}}
CAR = {"VehicleControlAPI": {"fuelLevel": 12.0, "batteryVoltage": 12.6, "engine_state": "stopped", "remainingUnlockedDoors": 4, "doorStatus": {d: "unlocked" for d in ("driver", "passenger", "rear_left", "rear_right")},
                             "acTemperature": 21.0, "fanSpeed": 40, "acMode": "auto", "humidityLevel": 45.0, "headLightStatus": "off", "parkingBrakeStatus": "released", "_parkingBrakeForce": 0.0, "_slopeAngle": 0.0,
                             "distanceToNextVehicle": 40.0, "cruiseStatus": "inactive", "destination": "None", "frontLeftTirePressure": 32.0, "frontRightTirePressure": 32.0, "rearLeftTirePressure": 30.0, "rearRightTirePressure": 30.0}}
POSTS = {"TwitterAPI": {"username": "mira", "password": "loaf", "authenticated": True, "tweets": {}, "comments": {}, "retweets": {}, "following_list": ["joe"], "tweet_counter": 0}}
TALKS = [
    ("multi_turn_base", SHOP, [["grep(file_name='orders.txt', pattern='rye')", "wc(file_name='orders.txt')"], [], ["mkdir(dir_name='done')", "create_ticket(title='Flour', priority=2)"]]),
    ("multi_turn_base", SHOP, [["cd(folder='old')", "sort(file_name='list.csv')"], ["mv(source='list.csv', destination='new.csv')", "cat(file_name='new.csv')"], ["echo(content='ready', file_name='x.txt')", "diff(file_name1='x.txt', file_name2='new.csv')"]]),
    ("multi_turn_miss_func", SUMS, [["wc(file_name='notes.md', mode='w')"], [], ["touch(file_name='copy.md')", "cp(source='notes.md', destination='backup.md')"], ["find(path='.', name='md')"]]),
    ("multi_turn_miss_param", CAR, [[], ["fillFuelTank(fuelAmount=10.5)", "lockDoors(unlock=False, door=['driver', 'passenger', 'rear_left', 'rear_right'])"], ["pressBrakePedal(pedalPosition=1.0)", "startEngine(ignitionMode='START')"]]),
    ("multi_turn_base", CAR, [["displayCarStatus(option='fuel')"], ["adjustClimateControl(temperature=19, unit='celsius', fanSpeed=30, mode='cool')"], ["setHeadlights(mode='on')"]]),
    ("multi_turn_base", POSTS, [["post_tweet(content='Rye at nine', tags=['#rye'], mentions=['@joe'])"], ["comment(tweet_id=0, comment_content='Come!')", "retweet(tweet_id=0)"], ["follow_user(username_to_follow='ana')", "list_all_following()"]]),
]


def conversations(seed, n):
    rng = random.Random(seed)
    for i, (category, config, reference) in enumerate(TALKS):
        case = dict(id=f"{category}_{i}", category=category, involved_classes=list(config), initial_config=config, possible_answer=reference)
        yield dict(case, answers=mutate.conversations(rng, case, n))


# Texts in the six forms, for the decoders alone.

XML = ["<functions>{}</functions>", "say <functions>\n{}\n</functions> end", "<functions>{}", "{}", "<FUNCTIONS>{}</FUNCTIONS>", "<functions></functions>", "<functions>{}{}</functions>"]
VERBOSE = ['<function><name>hop</name><params><param><name>n</name><value>{}</value><type>{}</type></param></params></function>', '<function name="hop"><params><param name="n" value="{}" type="{}"/></params></function>', '<function name="hop"><params></params></function>', '<function name="hop"/>']
CONCISE = ['<function name="hop"><param name="n" type="{1}">{0}</param></function>', '<function name="hop"/>', '<function><param name="n" type="{1}">{0}</param></function>', '<function name="a.b"><param name="n" type="{1}">{0}</param><param name="m" type="string">x</param></function>', '<function name="hop"><param name="n">{0}</param></function>']
SCALARS = [("1", "integer"), ("1.5", "float"), ("x y", "string"), ("true", "boolean"), ("[1, 2]", "array"), ("{'a': 1}", "dict"), ("", "string"), ("one", "integer"), ("None", "any"), ("&lt;b&gt;", "string"), ("&amp", "string"), (" 3 ", "integer"), ("(1, 2)", "tuple")]
JSONS = ['[{"function": "hop", "parameters": {"n": %s}}]', 'Sure: [{"function": "hop", "parameters": {"n": %s}}] ok', '{"function": "hop", "parameters": {"n": %s}}', '[{"function": "hop"}]', '[{"name": "hop", "arguments": {"n": %s}}]', '[{"function": "hop", "parameters": {"n": %s}},]', '[]', '[[%s]]', '[{"function": "hop", "parameters": {"n": %s}}, {"function": "skip", "parameters": {}}]']
JSON_VALUES = ["1", "1.0", "-0", "1e3", "true", "null", '"x]"', '"\\u00e9"', "[1, [2]]", '{"a": {"b": []}}', "NaN", "01", "'x'", "[{}]", "1e400"]


def readings(seed, n):
    """Yields (form, row)."""
    rng = random.Random(seed)
    for case in by_hand():
        for a in case["answers"]:
            form = {"simple_java": "java", "simple_javascript": "javascript"}.get(case["category"], "python")
            yield ("fc" if a.get("mode") == "fc" else form), {"in": a["raw"]}
    yield from (("java", {"in": f"[{t}]"}) for t in INDEXED)
    for case in generated(seed, n, 3):
        for a in case["answers"]:
            form = {"simple_java": "java", "simple_javascript": "javascript"}.get(case["category"], "python")
            yield ("fc" if a.get("mode") == "fc" else form), {"in": a["raw"]}
    for values in SCALARS:
        for frame in XML:
            yield "verbose_xml", {"in": frame.replace("{}", rng.choice(VERBOSE[:3]).format(*values))}
            yield "concise_xml", {"in": frame.replace("{}", rng.choice(CONCISE).format(*values))}
        for body in VERBOSE:
            yield "verbose_xml", {"in": "<functions>" + body.format(*values) + "</functions>"}
        for body in CONCISE:
            yield "concise_xml", {"in": "<functions>" + body.format(*values) + "</functions>"}
    for frame in JSONS:
        for v in JSON_VALUES:
            yield "json", {"in": frame.replace("%s", v)}
    for form, text in (("python", "[hop(n=1)]"), ("json", JSONS[0] % 1), ("concise_xml", "<functions>" + CONCISE[0].format("1", "integer") + "</functions>")):
        for frame in ("<TOOLCALL>{}</TOOLCALL>", "a <TOOLCALL>\n{}\n</TOOLCALL> b", "{}", "<TOOLCALL>{}", "<TOOLCALL></TOOLCALL>", "<TOOLCALL>{}</TOOLCALL><TOOLCALL>x</TOOLCALL>"):
            yield form, {"in": frame.replace("{}", text), "tag": True}
