package tally

import (
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/curate/errata"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/read/dialect"
	"github.com/gobfcl/bfcl/internal/why"
)

// An observer looks at answers while they are in memory: for signs of the
// server, and for failures that an amended key accepts.
type observer struct {
	settings eval.Settings
	amended  map[string]*errata.Item
	// fields says that the server was to find the calls.
	fields bool
}

// observe returns the observer of a run's answers.
func observe(d *fixtures.Dataset, s eval.Settings) *observer {
	read := dialect.Find(s.Dialect)
	o := &observer{settings: s, amended: map[string]*errata.Item{}, fields: s.Mode == eval.FC && (read == nil || read.InFields())}
	digest, err := d.Digest()
	if err != nil {
		return o // reported by what reads the run
	}
	list, err := errata.For(digest)
	if err != nil || list == nil {
		return o
	}
	for i := range list.Items {
		if item := &list.Items[i]; item.Defect() && item.Amends() && item.Concerns(s.Mode) {
			o.amended[item.ID] = item
		}
	}
	return o
}

// look sets what an answer shows.
func (o *observer) look(r *eval.Result) {
	if r.Status == eval.Error || r.Result == nil {
		return
	}
	reasoning := r.Reasoning
	if r.Entry != nil && reasoning == "" {
		reasoning, _ = r.Entry.Text("reasoning_content")
	}
	why.Sign(r)
	r.Beyond = why.Beyond(r, o.settings)
	calls := r.Decoded
	if calls == nil && r.Passed() && !r.Category.MultiTurn() {
		calls, _ = r.Category.Decode(r.Case, r.Result, o.settings)
	}
	r.Trace = why.Observe(r, calls, reasoning, o.fields)
	if item := o.amended[r.Case.ID]; item != nil && r.Status == eval.Fail {
		r.Amended, _ = item.Accept(r.Category, r.Case, r.Result, o.settings)
	}
}
