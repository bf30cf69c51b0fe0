package categories

// memoryKV: texts under keys, found by the keys' words.
var memoryKV = remember("kv")
