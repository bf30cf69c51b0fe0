package categories

// liveMultiple: multiple with questions and functions that users wrote.
var liveMultiple = ast("live_multiple", live, python)
