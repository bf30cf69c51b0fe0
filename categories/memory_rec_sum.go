package categories

// memoryRecSum: one text, which the model rewrites.
var memoryRecSum = remember("rec_sum")
