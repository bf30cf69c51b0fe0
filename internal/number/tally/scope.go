package tally

// A Scope says what a run's number is over, for output without the score.
type Scope struct {
	// Origin is the origin of the cases: see origin.State; "" if not known.
	Origin string
	// Commit is upstream's commit; "" for other data.
	Commit string
	// Complete reports whether every case that counts has a verdict: Cases of
	// Of do.
	Complete  bool
	Cases, Of int
}

// Scope returns the run's scope.
func (r *Run) Scope() Scope {
	out := Scope{Origin: string(r.Data.State), Commit: r.Data.Commit}
	if s, err := r.Answered(false); err == nil {
		out.Complete, out.Cases, out.Of = s.Complete, s.Overall.Cases, s.Overall.Size
	}
	return out
}
