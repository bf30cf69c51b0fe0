package categories

// v1Java: one Java function, one call; values are Java source.
var v1Java = v1AST("java", java)
