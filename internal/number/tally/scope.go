package tally

// A Scope is what a number of a run is over, for those that do not have the
// score beside it.
type Scope struct {
	// Origin is whose cases they are: see origin.State; "" if not known.
	Origin string
	// Commit is upstream's; "" for other data.
	Commit string
	// Complete reports whether each case that counts has its verdict. Cases of Of
	// have it.
	Complete  bool
	Cases, Of int
}

// Scope returns the run's.
func (r *Run) Scope() Scope {
	out := Scope{Origin: string(r.Data.State), Commit: r.Data.Commit}
	if s, err := r.Answered(false); err == nil {
		out.Complete, out.Cases, out.Of = s.Complete, s.Overall.Cases, s.Overall.Size
	}
	return out
}
