package categories

// multiTurnMissFunc: a function is missing until a later turn brings it.
var multiTurnMissFunc = multiTurn("multi_turn_miss_func")
