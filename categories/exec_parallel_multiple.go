package categories

// execParallelMultiple: several functions, several calls in any order. The results of the calls are
// compared.
var execParallelMultiple = carriedOut("exec_parallel_multiple")
