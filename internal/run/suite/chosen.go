package suite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/say"
)

// ErrNoneChosen is why a run does not begin that would ask nothing.
var ErrNoneChosen = errors.New("-run and -skip choose none")

// partDir returns the folder of a run whose cases go test's -run chooses.
func partDir(o Options) string {
	o.Model += "-part"
	return RunDir(o)
}

// chooseTests keeps the cases that go test's -run and -skip choose. The run then
// states their ids, as it does for -ids, and lies beside the whole run. A run
// that is continued stays what it was, and only the chosen cases are asked.
func (p *Plan) chooseTests() error {
	before := p.Cases()
	kept := &Selection{Parts: p.chosen()}
	switch n := kept.Cases(); {
	case n == 0 && before > 0:
		return misuse.Mark(fmt.Errorf("%w of %s", ErrNoneChosen, say.Cases(before)))
	case n == before, p.options.Resume && !p.isPart(kept.names()):
		return nil
	}
	p.Parts, p.IDs, p.sampled, p.part = kept.Parts, kept.names(), nil, true
	p.given = slices.DeleteFunc(p.given, func(arg string) bool {
		return strings.HasPrefix(arg, "-ids=") || strings.HasPrefix(arg, "-sample=")
	})
	p.given = append(p.given, "-ids="+strings.Join(p.IDs, ","))
	if p.options.RunDir == "" && !p.model.kind.Unwritten {
		p.options.RunDir = partDir(p.options)
	}
	p.note(fmt.Sprintf("-run and -skip choose %d of %s", kept.Cases(), say.Cases(before)))
	return nil
}

// chosen returns the parts without the cases that go test leaves out.
func (p *Plan) chosen() []Part {
	if p.options.Chosen == nil {
		return p.Parts
	}
	var out []Part
	for _, part := range p.Parts {
		kept := Part{Category: part.Category}
		for _, c := range part.Cases {
			if len(p.TrialsOf(part.Category.Name, c.ID)) > 0 {
				kept.Cases = append(kept.Cases, c)
			}
		}
		if len(kept.Cases) > 0 {
			out = append(out, kept)
		}
	}
	return out
}

// TrialsOf returns the trials of a case that this process asks, from 0.
func (p *Plan) TrialsOf(category, id string) (trials []int) {
	for trial := range p.options.Trials {
		name := trial + 1
		if p.options.Trials == 1 {
			name = 0
		}
		if p.options.Chosen == nil || p.options.Chosen(category, id, name) {
			trials = append(trials, trial)
		}
	}
	return trials
}

// isPart reports whether the folder for a part holds a run of these cases.
func (p *Plan) isPart(ids []string) bool {
	dir := p.options.RunDir
	if dir == "" {
		dir = partDir(p.options)
	}
	have, err := record.ReadRun(dir)
	return err == nil && slices.Equal(have.IDs, ids)
}

// besideOthers refuses to move a whole run aside for a part of the cases. A part
// takes the place of an older part.
func (p *Plan) besideOthers() error {
	if !p.part || p.Dir == "" {
		return nil
	}
	have, err := record.ReadRun(p.Dir)
	if err != nil || len(have.IDs) > 0 {
		return nil
	}
	return misuse.Errorf("-run and -skip choose a part of the cases, and %s holds a whole run, which a part does not displace: leave -run-dir out, name another folder, or continue that run with -resume", p.Dir)
}
