package gotest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/gotest/process"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// eventsVariable makes this test's binary one whose output is converted.
const eventsVariable = "BFCL_TEST_EVENTS"

// An event is what is compared: times differ.
type event struct {
	Action, Package, Test, Output, Key, Value, Path string
	Elapsed                                         float64
}

// joined reads events and joins consecutive output of the same test, because
// its split into events does not matter.
func joined(t testing.TB, text []byte) (out []event) {
	t.Helper()
	for line := range bytes.Lines(text) {
		var e event
		require.NoError(t, json.Unmarshal(line, &e), "%.200q", line)
		assert.Less(t, len(line), bufio.MaxScanTokenSize)
		if last := len(out) - 1; last >= 0 && e.Action == "output" && out[last].Action == "output" && out[last].Test == e.Test {
			out[last].Output += e.Output
			continue
		}
		out = append(out, e)
	}
	return out
}

// convert feeds output in pieces of a size.
func convert(t testing.TB, output []byte, size int) []event {
	t.Helper()
	var b bytes.Buffer
	c := process.New(&b, "example.com/p")
	for len(output) > 0 {
		n := min(size, len(output))
		taken := testkit.Must(c.Write(output[:n]))(t)
		require.Equal(t, n, taken)
		output = output[n:]
	}
	require.NoError(t, c.Close(true))
	return joined(t, b.Bytes())
}

// test2json is the reference. Without the process it does not know the exit
// code, so a last event that states only that is left out.
func test2json(t testing.TB, output []byte) []event {
	t.Helper()
	cmd := exec.Command("go", "tool", "test2json", "-t", "-p", "example.com/p")
	cmd.Stdin = bytes.NewReader(output)
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	require.NoError(t, err, "%s", said.String())
	return withoutLast(joined(t, text))
}

func withoutLast(events []event) []event {
	if last := len(events) - 1; last >= 0 && events[last].Test == "" && (events[last].Action == "pass" || events[last].Action == "fail") {
		return events[:last]
	}
	return events
}

func sameAsTest2json(t *testing.T, output []byte) {
	t.Helper()
	want := test2json(t, output)
	for _, size := range []int{1 << 20, 7, 1} {
		got := withoutLast(convert(t, output, size))
		for i := range min(len(got), len(want)) {
			require.Equal(t, want[i], got[i], "event %d, in pieces of %d", i, size)
		}
		require.Equal(t, len(want), len(got), "in pieces of %d", size)
	}
	t.Logf("%d bytes, %d events", len(output), len(want))
}

// TestEventChild is the child process whose output the other tests convert;
// otherwise it is skipped.
func TestEventChild(t *testing.T) {
	if os.Getenv(eventsVariable) == "" {
		t.Skip("the child of TestEventAsTest2json")
	}
	t.Attr("model", "a b c")
	t.Log("one\ntwo")
	t.Cleanup(func() { t.Log("in the end") })
	for i := range 3 {
		t.Run(fmt.Sprint("part ", i), func(t *testing.T) {
			t.Parallel()
			var running sync.WaitGroup
			for k := range 4 {
				running.Go(func() { t.Run(fmt.Sprint("case_", k), func(t *testing.T) { printing(t, k) }) })
			}
			running.Wait()
		})
	}
}

func printing(t *testing.T, k int) {
	t.Attr("latency", "0.5")
	fmt.Print("no newline")
	switch k {
	case 0:
		t.Log("\x16--- PASS: TestEventChild/part_0/case_1 (0.00s)\n--- FAIL: TestEventChild\n=== RUN   TestOther\nFAIL\t")
	case 1:
		t.Error("wrong\n\x16FAIL\n    --- PASS: TestEventChild\x1b[31m\x0f\x0e\x1b")
	case 2:
		t.Skip("why not")
	case 3:
		fmt.Fprintln(os.Stderr, strings.Repeat("long é", 3000))
	}
}

// TestEventAsTest2json compares the events of a real test with those of `go
// tool test2json`.
func TestEventAsTest2json(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"TestEventChild", "TestEventDies"} {
		cmd := exec.Command(os.Args[0], "-test.v=test2json", "-test.run=^"+mode+"$")
		cmd.Env = append(os.Environ(), eventsVariable+"=1")
		output, err := cmd.CombinedOutput()
		require.Error(t, err, "the child fails")
		require.Contains(t, string(output), "\x16=== RUN   "+mode)
		sameAsTest2json(t, output)
	}
}

// TestEventDies is a child process that dies in the middle.
func TestEventDies(t *testing.T) {
	if os.Getenv(eventsVariable) == "" {
		t.Skip("the child of TestEventAsTest2json")
	}
	t.Run("within", func(*testing.T) { panic("\x16--- PASS: TestDies (0.00s)") })
}

// pieces is what hostile output is made of. Three things are not among them, for
// there test2json has its own ways: a test's own 0x0e and 0x0f, of which it drops
// all but some that follow each other; a line of a benchmark, which it splits and
// then overlooks what is marked in the rest, and a pause without a newline,
// whose line it writes after the event.
var pieces = []string{
	"\x16", "\n", "\r\n", "    ", " ", "\t", "=== RUN   ", "\x16=== PAUSE TestA/b\n", "=== CONT  ", "=== NAME  ", "=== NAME", "=== ATTR  ", "=== PASS  ",
	"=== ARTIFACTS ", "=== ", "--- PASS: ", "--- FAIL: ", "--- SKIP: ", "--- BENCH: ", "--- ", "TestA", "TestA/b", "TestA/b/c", "k v", " (0.01s)", " (x s)", " (1e999s)",
	"PASS", "FAIL", "FAIL\t", "PASS\n", "FAIL\n", "\x16PASS\n", "\x16FAIL\n", "\x16=== RUN   TestA\n", "\x16=== NAME  TestA/b\n", "\x16--- FAIL: TestA (0.00s)\n",
	"\x16    --- PASS: TestA/b (0.00s)\n", "\x16        --- SKIP: TestA/b/c (0.00s)\n", "\x16    said within\n", "é", "\xc3", "\xff", "\xf0\x9f\x98", "😀", "\x00", "\x1b[31m", "\x1b", "\x1b\x16", "\x1b\n", "\"<&>\"", "\u2028",
	strings.Repeat("x", 1023), strings.Repeat("é", 600), strings.Repeat("y", 4095), strings.Repeat("z", 4097),
}

func hostile(seed uint64, n int) []byte {
	random := rand.New(rand.NewPCG(seed, 1))
	out := []byte("\x16=== RUN   TestA\n") // from the first marked line on test2json wants all to be marked
	for range n {
		out = append(out, pieces[random.IntN(len(pieces))]...)
	}
	return append(out, "\n\x16FAIL\n"...) // else test2json gives the last event to the last test
}

// TestEventHostileAsTest2json: random and crafted lines give the same events as
// test2json.
func TestEventHostileAsTest2json(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		sameAsTest2json(t, hostile(seed, 400))
	}
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("nobody listens") }

// TestEventNobodyListens: when events cannot be written, the test's output is
// still read to its end, and the error is returned then.
func TestEventNobodyListens(t *testing.T) {
	t.Parallel()
	c := process.New(deaf{}, "p")
	n := testkit.Must(c.Write([]byte("\x16=== RUN   TestA\n")))(t)
	assert.Equal(t, 17, n)
	assert.EqualError(t, c.Close(false), "nobody listens")
}

// FuzzEventConverter: any output gives well-formed events that contain all of
// it, however it is split into writes.
func FuzzEventConverter(f *testing.F) {
	f.Add([]byte("\x16=== RUN   TestA\nx\x16--- PASS: TestA (0.00s)\n\x16=== NAME  \n\x16PASS\n"))
	f.Add(hostile(1, 200))
	f.Fuzz(func(t *testing.T, output []byte) {
		whole := convert(t, output, 1<<20)
		require.Equal(t, without(whole), without(convert(t, output, 1)))
		require.Equal(t, "start", whole[0].Action)
		require.Equal(t, "fail", whole[len(whole)-1].Action)
	})
}

// without removes the times.
func without(events []event) []event {
	if last := len(events) - 1; last >= 0 {
		events[last].Elapsed = 0
	}
	return events
}
