package categories

// liveSimple: simple_python with questions and functions that users wrote.
var liveSimple = ast("live_simple", live, python)
