package categories

// liveParallelMultiple: parallel_multiple with questions and functions that users wrote.
var liveParallelMultiple = ast("live_parallel_multiple", live, python)
