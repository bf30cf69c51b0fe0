package categories

// v1JavaScript: one JavaScript function, one call; values are source text.
var v1JavaScript = v1AST("javascript", javaScript)
