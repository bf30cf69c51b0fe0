package categories

// multiTurnBase: several turns, each with all it needs.
var multiTurnBase = multiTurn("multi_turn_base")
