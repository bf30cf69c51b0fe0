package record_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	_ "github.com/gobfcl/bfcl/internal/test/testkit"
)

// TestProposedCommands: each kind of run is offered the commands that work for it, with
// all that its model needs.
func TestProposedCommands(t *testing.T) {
	t.Parallel()
	stated := func(model string, parameters map[string]string, flags ...string) *record.Run {
		return &record.Run{Model: model, Parameters: parameters, Flags: append([]string{"-model=" + model}, flags...)}
	}
	server := map[string]string{"base_url": "http://127.0.0.1:8000/v1"}
	served := stated("openai:m", server, "-base-url=http://127.0.0.1:8000/v1", "-sample=20", "-temperature=0.5")
	for _, row := range []struct {
		name                                string
		run                                 advise.Run
		resume, doctor, again, explain, all string
	}{
		{"a run of one's own", advise.Run{Path: "results/m", Stated: served},
			"bfcl run -resume -run-dir=results/m",
			"bfcl doctor -model=openai:m -base-url=http://127.0.0.1:8000/v1 -temperature=0.5",
			"bfcl run -model=openai:m -base-url=http://127.0.0.1:8000/v1 -sample=20 -temperature=0.5 -read=dialect",
			"bfcl judge --id a_1 --run results/m", "bfcl failures results/m"},
		{"a name with a blank and a quote", advise.Run{Path: "it's mine", Stated: served},
			`bfcl run -resume '-run-dir=it'\''s mine'`, "", "", `bfcl judge --id a_1 --run 'it'\''s mine'`, `bfcl failures 'it'\''s mine'`},
		{"its JUnit file", advise.Run{Path: "results/m/junit.xml", Stated: served},
			"bfcl run -resume -run-dir=results/m", "", "", "bfcl judge --id a_1 --run results/m/junit.xml", ""},
		{"a JUnit file alone", advise.Run{Kind: advise.JUnit, Path: "junit.xml"}, "-", "-", "-", "-", "bfcl failures junit.xml"},
		{"a folder without run.json", advise.Run{Path: "results/m"}, "-", "-", "-", "", ""},
		{"upstream's folder", advise.Run{Kind: advise.Upstream, Path: "result", Dataset: "v4", Data: "d"},
			"-", "-", "-", "bfcl trace result a_1 --dataset v4 --data d", "bfcl failures result --dataset v4 --data d"},
		{"a program", advise.Run{Path: "r", Stated: stated("agent:./a", nil)}, "bfcl run -resume -run-dir=r -model=agent:./a", "-", "", "", ""},
		{"headers", advise.Run{Path: "r", Stated: stated("openai:m", map[string]string{"base_url": "u", "headers": "Authorization, X-Route=0badcafe"})},
			"bfcl run -resume -run-dir=r '-header=Authorization: ${AUTHORIZATION}' '-header=X-Route: ${X_ROUTE}'", "", "", "", ""},
		{"headers of the catalogue", advise.Run{Path: "r", Stated: stated("m", map[string]string{"headers": "X-Route=0badcafe"})}, "bfcl run -resume -run-dir=r", "-", "", "", ""},
		{"a flag that is replaced", advise.Run{Path: "r", Stated: stated("openai:m", server, "-read=server")}, "", "", "bfcl run -model=openai:m -read=dialect", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			check := func(want string, got advise.Command, ok bool) {
				t.Helper()
				switch want {
				case "": // another row has it
				case "-":
					assert.False(t, ok, "%s", got)
				default:
					assert.True(t, ok)
					assert.Equal(t, want, got.String())
				}
			}
			c, ok := row.run.Resume()
			check(row.resume, c, ok)
			c, ok = row.run.Doctor()
			check(row.doctor, c, ok)
			c, ok = row.run.Again("-read=dialect")
			check(row.again, c, ok)
			c, ok = row.run.Explain("a_1", false)
			check(row.explain, c, ok)
			check(row.all, row.run.Show("failures"), true)
		})
	}
}

// TestGate: a gate's rules are of the run's dataset, and the decision reads both
// runs as this one was read.
func TestGate(t *testing.T) {
	t.Parallel()
	own := &record.Run{Flags: []string{"-model=m", "-dataset=v4", "-data=d"}}
	for _, row := range []struct {
		run          advise.Run
		rules, final string
	}{
		{advise.Run{Path: "r", Stated: own}, "bfcl gate --init --dataset=v4 --data=d", "bfcl gate --config gate.yaml r --baseline old --intersect"},
		{advise.Run{Kind: advise.JUnit, Path: "r.xml"}, "", "bfcl gate --config gate.yaml r.xml --baseline old --intersect"},
		{advise.Run{Kind: advise.Upstream, Path: "r", Dataset: "v4", Data: "d", Partial: true}, "bfcl gate --init --dataset v4 --data d",
			"bfcl gate --config gate.yaml r --baseline old --intersect --dataset v4 --data d --partial"},
	} {
		rules, ok := row.run.Rules()
		assert.Equal(t, row.rules != "", ok)
		if ok {
			assert.Equal(t, row.rules, rules.String())
		}
		assert.Equal(t, row.final, row.run.Gate("old", "--intersect").String())
	}
}

// TestPastedNames: no name that a shell reads specially does more than name.
func TestPastedNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"$(id)", "`id`", "a\x1b$(id)", "a\n$(id)", "\u202e$(id)", "-x", "~", "*", "a'b$(id)", "\xff$(id)"} {
		line := advise.Run{Path: name}.Show("score").String()
		out := shell(t, "bfcl() { printf '%s|' \"$@\"; }\n"+line)
		assert.Equal(t, "score|"+name+"|", out, "%q", line)
		assert.False(t, strings.ContainsAny(line, "\x1b\n\u202e"), "%q", line)
	}
}

// shell runs a script in bash and returns its output.
func shell(t *testing.T, script string) string {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not here")
	}
	out := testkit.Must(exec.CommandContext(t.Context(), "bash", "-c", script).Output())(t)
	return string(out)
}
