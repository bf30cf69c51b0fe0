package sim

// Leaks reports whether an instance of this world has taken a value that it
// shares with the other side. If one side never does, neither side sees what
// the other did.
func (w *World) Leaks() bool { return len(w.shared) > 0 }
