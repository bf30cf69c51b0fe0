package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/run/execution"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

// A checkup is one `bfcl fetch --check --api`: which of the APIs behind the
// executable categories answer a dataset's check calls as expected.
type checkup struct {
	*app
	data   dataFlags
	how    string
	files  []string
	asJSON bool
}

func (h *checkup) run(cmd *cobra.Command) (err error) {
	dataset, err := h.data.open()
	if err != nil {
		return err
	}
	probes, err := execution.Probes(dataset)
	if err != nil {
		return err
	}
	env, recording, err := execution.Environment(dataset, h.how, h.files)
	if err != nil {
		return err
	}
	if recording != nil {
		defer func() { err = errors.Join(err, recording.Close()) }()
	}
	return h.print(h.check(cmd, env, probes))
}

// check makes the calls. It skips live calls whose key is missing: the API is
// not to blame.
func (h *checkup) check(cmd *cobra.Command, env *exec.Env, probes []exec.Probe) []condition {
	var out []condition
	for _, p := range probes {
		c := condition{ID: p.ID, Call: p.Call}
		if missing := exec.MissingKeys(os.Getenv, p.Call); h.how != execution.Replay && len(missing) > 0 {
			c.Skipped = "not set: " + strings.Join(missing, ", ")
			out = append(out, c)
			continue
		}
		for _, s := range exec.Health(cmd.Context(), env, []exec.Probe{p}) {
			c.Hosts, c.OK, c.Problem = s.Hosts, s.OK, s.Problem
			out = append(out, c)
		}
	}
	return out
}

// A condition is what a check found.
type condition struct {
	ID      string   `json:"id"`
	Call    string   `json:"call"`
	Hosts   []string `json:"hosts"`
	OK      bool     `json:"ok"`
	Problem string   `json:"problem,omitempty"`
	Skipped string   `json:"skipped,omitempty"`
}

func (c condition) state() (word, why string) {
	switch {
	case c.OK:
		return "ok", ""
	case c.Skipped != "":
		return "skipped", c.Skipped
	}
	return "failed", c.Problem
}

func (h *checkup) print(all []condition) error {
	failed := slices.ContainsFunc(all, func(c condition) bool { return !c.OK && c.Skipped == "" })
	if h.asJSON {
		if err := writeJSON(h.out, all); err != nil {
			return err
		}
	} else {
		h.table(all)
	}
	if failed {
		return exit(exitNo)
	}
	return nil
}

func (h *checkup) table(all []condition) {
	counts := map[string]int{}
	for _, c := range all {
		word, why := c.state()
		counts[word]++
		host := strings.Join(c.Hosts, ", ")
		if host == "" {
			host = "-"
		}
		fmt.Fprintf(h.out, "%-8s %-15s %-44s %s\n", word, c.ID, safe.Plain(host, 100), safe.Plain(why, 300))
	}
	fmt.Fprintf(h.out, "%d calls: %d as expected, %d not, %d skipped\n", len(all), counts["ok"], counts["failed"], counts["skipped"])
}
