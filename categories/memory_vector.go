package categories

// memoryVector: texts that are found by likeness.
var memoryVector = remember("vector")
