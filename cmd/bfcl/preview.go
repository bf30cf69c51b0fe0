package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
)

// A shownPrompt is the request for one model.
type shownPrompt struct {
	Model string          `json:"model"`
	Case  string          `json:"case"`
	URL   string          `json:"url"`
	Body  json.RawMessage `json:"body"`
}

// preview shows what the models are sent for the first of the chosen cases: for
// a conversation, the first request. Nothing is sent, no key is needed, and
// headers are never shown.
func (r *runner) preview(ctx context.Context) error {
	if len(r.models.given) == 0 {
		return suite.NoModel(r.flags.o)
	}
	var all []shownPrompt
	var first *suite.Plan
	for _, model := range r.models.given {
		o := r.flags.o
		o.Model = model
		plan, err := suite.PlanPreview(o)
		if err != nil {
			return err
		}
		first = cmp.Or(first, plan)
		at := slices.IndexFunc(plan.Parts, func(p suite.Part) bool { return len(p.Cases) > 0 })
		if at < 0 {
			return option.Misuse("%s: no case is chosen", model)
		}
		c := plan.Parts[at].Cases[0]
		request, err := plan.Preview(ctx, plan.Parts[at].Category, c)
		if err != nil {
			return fmt.Errorf("%s: %w", model, err)
		}
		shown := shownPrompt{model, c.ID, request.Method + " " + request.URL, request.Body}
		if !r.asJSON {
			var b bytes.Buffer
			_ = json.Indent(&b, shown.Body, "", "  ") // every adapter sends JSON
			fmt.Fprintf(r.out, "%s  %s\n%s\n", say.Printable(shown.Model, 200), say.Printable(shown.Case, 200), say.Printable(shown.URL, 500))
			for line := range strings.SplitSeq(b.String(), "\n") {
				fmt.Fprintln(r.out, say.Printable(line, 100_000))
			}
			fmt.Fprintln(r.out)
		}
		all = append(all, shown)
	}
	if r.asJSON {
		return writeJSON(r.out, all)
	}
	return r.extent(first)
}

// extent says how much the run would ask.
func (r *runner) extent(plan *suite.Plan) error {
	cases, requests := plan.Cases(), 0
	for _, part := range plan.Parts {
		for _, c := range part.Cases {
			least := 1 // for a question; two for a turn with tools to run: a call, and a reply to its result
			if part.Category.MultiTurn() {
				least = 2 * len(c.Turns)
			}
			requests += plan.Run.Trials * least
		}
	}
	n, all := plan.InputTokens(plan.Model.Settings)
	const million, few = 1e6, 100_000
	tokens := fmt.Sprintf("%.1f M tokens", float64(n)/million)
	if n < few {
		tokens = fmt.Sprintf("%d tokens", n)
	}
	measured := ""
	if !all {
		measured = " without the agentic categories"
	}
	_, err := fmt.Fprintf(r.out, "The run asks %s with at least %s, and about %s in%s.\n", say.Cases(cases), say.Count(requests, "request", "requests"), tokens, measured)
	return err
}
