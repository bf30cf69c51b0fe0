package categories

// multiTurnComposite: all of the others' difficulties at once; upstream does
// not evaluate it.
var multiTurnComposite = unused(multiTurn("multi_turn_composite"))
