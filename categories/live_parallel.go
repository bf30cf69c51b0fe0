package categories

// liveParallel: parallel with questions and functions that users wrote.
var liveParallel = ast("live_parallel", live, python)
