package categories

// parallel: one function, several calls.
var parallel = ast("parallel", nonLive, python)
