package categories

// execSimple: one function, one call. The results of the calls are
// compared.
var execSimple = carriedOut("exec_simple")
