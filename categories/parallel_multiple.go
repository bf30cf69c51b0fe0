package categories

// parallelMultiple: several functions, several calls.
var parallelMultiple = ast("parallel_multiple", nonLive, python)
