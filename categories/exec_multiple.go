package categories

// execMultiple: several functions, one call. The results of the calls are
// compared.
var execMultiple = carriedOut("exec_multiple")
