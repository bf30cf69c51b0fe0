package categories

// v1Parallel: one Python function, several calls in any order.
var v1Parallel = v1AST("parallel_function", python)
