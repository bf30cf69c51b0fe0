package categories

// v1Relevance: the functions do not fit the question, no call is wanted.
var v1Relevance = v1NoCall("relevance")
