package categories

// liveIrrelevance: irrelevance with questions and functions that users wrote.
var liveIrrelevance = callOrNot("live_irrelevance", live)
