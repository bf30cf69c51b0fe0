package doctor_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/doctor"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/compare"
	"github.com/gobfcl/bfcl/internal/number/tally"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/run/suite"
	"github.com/gobfcl/bfcl/internal/say"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/why"
)

// TestGoldenYardstick plays a server's faults, one at a time, before recorded
// answers of a good model. It prints, by fault, what it costs and what doctor,
// failures and compare say, and holds the figures.
func TestGoldenYardstick(t *testing.T) {
	if os.Getenv("BFCL_YARDSTICK") == "" && os.Getenv("CI") != "true" {
		t.Skip("it takes minutes: set BFCL_YARDSTICK=1, or CI=true")
	}
	shared := testkit.Shared(t)
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 plays the server: it is not installed")
	}
	script := filepath.Join(shared, "servers", "fault_proxy.py")
	if _, err := os.Stat(script); err != nil && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	base := proxy(t, python, script, shared)
	var faults map[string]struct{ Layer why.Layer }
	resp, err := http.Get(base + "/faults")
	require.NoError(t, err)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&faults))
	require.NoError(t, resp.Body.Close())

	var names []string
	for name := range faults {
		names = append(names, name)
	}
	slices.Sort(names)
	if only := os.Getenv("BFCL_YARDSTICK"); only != "" && only != "1" {
		names = strings.Split(only, ",")
	}
	table := &yardstick{shared: shared, clean: measured(t, shared, base+"/none")}
	for _, name := range names {
		table.row(t, name, faults[name].Layer, base+"/"+name)
	}
	table.holds(t)
}

// A yardstick is what doctor, failures and compare say of planted faults, of
// those that cost 2.5 points or more.
type yardstick struct {
	shared                                    string
	clean                                     *tally.Run
	all, costly, layered, quiet, signed, told int
}

// row measures one fault: doctor has to name its layer, and failures and compare
// to explain half of what it costs.
func (y *yardstick) row(t *testing.T, name string, layer why.Layer, address string) {
	r := testkit.Must(doctor.Examine(t.Context(), patientOf(t, address, "-model=openai:qwen3-8b", "-dataset=v4", "-data="+filepath.Join(y.shared, "bfcl"), "-categories=all")))(t)
	run := measured(t, y.shared, address)
	cost := 100 * (share(y.clean) - share(run))
	said, named := "ok", false
	for _, f := range r.Findings {
		if f.State != doctor.Fine && f.State != doctor.Note {
			named = named || f.State == doctor.Fault && same(f.Layer, layer)
			said = fmt.Sprintf("%s, %s: %.60s", f.State, f.Layer, f.Said)
		}
	}
	b := run.Blame()
	c := compare.TransformationBetween(y.clean, run)
	server, lost := b.Parts[say.Server].Cases, failed(run)-failed(y.clean)
	signed, told, turned := 2*server >= lost, c != nil && 2*c.Broken.Explained >= c.Broken.Cases, "–"
	if c != nil {
		turned = c.String()
	}
	sign := ""
	if len(b.Signs) > 0 {
		sign = b.Signs[0].Sign
	}
	t.Logf("%-18s %6.1f points  %-9s %5t doctor: %s\n      %5t failures: %d of %d, %.80s\n      %5t compare: %.170s", name, -cost, layer, named, said, signed, server, lost, sign, told, turned)
	if y.all++; cost < 2.5 {
		return
	}
	y.costly++
	y.layered += one(named)
	y.quiet += one(said == "ok")
	y.signed += one(signed)
	y.told += one(told)
}

// holds prints the figures, and holds them.
func (y *yardstick) holds(t *testing.T) {
	t.Logf("%d of %d faults cost 2.5 points or more: doctor names the layer of %d and calls %d ok; failures gives the server half of the loss of %d, compare explains half of %d",
		y.costly, y.all, y.layered, y.quiet, y.signed, y.told)
	assert.Zero(t, y.quiet)
	for n, share := range map[*int]float64{&y.layered: .95, &y.signed: .9, &y.told: .9} { // answers alone say nothing of sampling
		assert.GreaterOrEqual(t, float64(*n), share*float64(y.costly))
	}
}

// same reports whether two layers count as one.
func same(a, b why.Layer) bool {
	behind := []why.Layer{why.Parser, why.Gateway}
	return a == b || slices.Contains(behind, a) && slices.Contains(behind, b)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// proxy starts the server, and returns its address.
func proxy(t *testing.T, python, script, shared string) string {
	questions := filepath.Join(t.TempDir(), "questions.jsonl")
	file := testkit.Must(os.Create(questions))(t)
	plan := testkit.Must(suite.NewPlan(options(t, "http://127.0.0.1:1", "-model=openai:m", "-dataset=v4", "-data="+filepath.Join(shared, "bfcl"))))(t)
	require.NoError(t, doctor.Questions(file, documents(plan)))
	require.NoError(t, file.Close())
	free := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	port := fmt.Sprint(free.Addr().(*net.TCPAddr).Port)
	require.NoError(t, free.Close())
	cmd := exec.Command(python, script, port, filepath.Join(shared, "bfcl", "v4"), filepath.Join(shared, "recorded", "v4", "open", "result", "Qwen_Qwen3-8B-FC"), "--questions", questions)
	out := testkit.Must(cmd.StdoutPipe())(t)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, line)
	base := "http://127.0.0.1:" + port
	require.Eventually(t, func() bool {
		resp, err := http.Get(base + "/stats")
		return err == nil && resp.Body.Close() == nil
	}, wait, wait/100)
	return base
}

// sampled are the categories that are asked, and how many cases of each.
var sampled = map[string]int{"simple_python": 40, "multiple": 20, "parallel": 40, "live_simple": 30, "irrelevance": 10}

// measured asks the server for some of V4's cases, and returns the run.
func measured(t *testing.T, shared, address string) *tally.Run {
	dir := filepath.Join(t.TempDir(), "result", "qwen3-8b-FC")
	p := testkit.Must(suite.NewPlan(options(t, address, "-model=openai:qwen3-8b", "-dataset=v4", "-data="+filepath.Join(shared, "bfcl"), "-categories=simple_python,multiple,parallel,live_simple,irrelevance")))(t)
	v := testkit.Must(p.Visit())(t)
	defer func() { _ = v.Close() }()
	var served []string
	var lock sync.Mutex
	for _, part := range p.Parts {
		cases := part.Cases
		step := max(1, len(cases)/sampled[part.Category.Name])
		lines := make([][]byte, sampled[part.Category.Name])
		var running sync.WaitGroup
		for i := range lines {
			running.Go(func() {
				c := cases[i*step]
				resp, err := v.Ask(t.Context(), c)
				if err != nil {
					resp = &eval.Response{Result: eval.TextResult(eval.InferenceError + " " + err.Error())}
				}
				lines[i], _ = record.Line(c.ID, resp, "")
				lock.Lock()
				defer lock.Unlock()
				served = append(served, cmp.Or(resp.Served, "qwen3-8b"))
			})
		}
		running.Wait()
		to := filepath.Join(dir, part.Category.Group, record.FileName(part.Category.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		var b strings.Builder
		for _, line := range lines {
			b.Write(line)
		}
		require.NoError(t, os.WriteFile(to, []byte(b.String()), 0o644))
	}
	runs := testkit.Must(tally.ReadAll([]string{filepath.Dir(dir)}, tally.Options{Data: filepath.Join(shared, "bfcl"), Partial: true, Answers: true}))(t)
	runs[0].Served, runs[0].Parameters = slices.Compact(slices.Sorted(slices.Values(served))), map[string]string{"id": "qwen3-8b"} // as run.json states them
	return runs[0]
}

// failed returns the number of wrong answers.
func failed(r *tally.Run) (n int) {
	for _, result := range r.All() {
		n += one(!result.Passed())
	}
	return n
}

// share returns the share of right answers.
func share(r *tally.Run) float64 {
	right, n := 0, 0
	for _, result := range r.All() {
		n++
		right += one(result.Passed())
	}
	return float64(right) / float64(n)
}
