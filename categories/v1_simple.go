package categories

// v1Simple: one Python function, one call.
var v1Simple = v1AST("simple", python)
