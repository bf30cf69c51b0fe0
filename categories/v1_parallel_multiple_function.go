package categories

// v1ParallelMultiple: several Python functions, several calls in any order.
var v1ParallelMultiple = v1AST("parallel_multiple_function", python)
