package categories

// multiTurnLongContext: answers are padded with much that does not matter.
var multiTurnLongContext = multiTurn("multi_turn_long_context")
