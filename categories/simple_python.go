package categories

// simplePython: one Python function, one call.
var simplePython = ast("simple_python", nonLive, python)
