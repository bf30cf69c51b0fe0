package categories

// v1Chatable: a chat without functions, no call is wanted; not in the score.
var v1Chatable = v1Unscored(v1NoCall("chatable"))
