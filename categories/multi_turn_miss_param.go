package categories

// multiTurnMissParam: a value is missing until a later turn tells it.
var multiTurnMissParam = multiTurn("multi_turn_miss_param")
