package categories

// liveRelevance: some function fits, so any call is right.
var liveRelevance = callOrNot("live_relevance", live)
