package categories

// irrelevance: no function fits, so no call is right.
var irrelevance = callOrNot("irrelevance", nonLive)
