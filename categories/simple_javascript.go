package categories

// simpleJavaScript: one JavaScript function, one call; values are JavaScript source.
var simpleJavaScript = ast("simple_javascript", nonLive, javaScript)
