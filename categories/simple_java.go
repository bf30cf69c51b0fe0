package categories

// simpleJava: one Java function, one call; values are Java source.
var simpleJava = ast("simple_java", nonLive, java)
