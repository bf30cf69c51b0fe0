package categories

// v1Multiple: several Python functions, one call.
var v1Multiple = v1AST("multiple_function", python)
