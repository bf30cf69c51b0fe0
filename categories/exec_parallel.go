package categories

// execParallel: one function, several calls in any order. The results of the calls are
// compared.
var execParallel = carriedOut("exec_parallel")
