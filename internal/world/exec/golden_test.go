package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/stretchr/testify/require"
)

// A comparison counts rows and reports the first differences.
type comparison struct {
	t     *testing.T
	what  string
	rows  int
	wrong int
}

func compare(t *testing.T, what string) *comparison {
	t.Helper()
	c := &comparison{t: t, what: what}
	t.Cleanup(func() { t.Logf("%s: %d of %d rows equal", what, c.rows-c.wrong, c.rows) })
	return c
}

// same compares one row; id and both sides are quoted and capped.
func (c *comparison) same(id string, got, want string) {
	c.t.Helper()
	c.rows++
	if got == want {
		return
	}
	if c.wrong++; c.wrong <= 50 {
		c.t.Errorf("%s %s\n got %s\nwant %s", c.what, brief(id), brief(got), brief(want))
	}
}

func brief(s string) string {
	if len(s) > 400 {
		s = s[:400] + "..."
	}
	return strconv.Quote(s)
}

// tagged is the value that the encoding of golden/exec/README.md stands for.
func tagged(t testing.TB, v pyval.Value) pyval.Value {
	t.Helper()
	row, ok := v.(*pyval.Dict)
	require.True(t, ok, "tagged value")
	items := func() (out []pyval.Value) {
		for _, item := range testkit.Field(row, "v").(*pyval.List).Items {
			out = append(out, tagged(t, item))
		}
		return out
	}
	switch tag := testkit.Text(row, "t"); tag {
	case "none":
		return pyval.None
	case "bool", "str":
		return testkit.Field(row, "v")
	case "int":
		n, ok := pyval.ParseInt(testkit.Text(row, "v"), 10)
		require.True(t, ok)
		return n
	case "float":
		return pyval.Float(hexFloat(t, testkit.Text(row, "hex")))
	case "complex":
		return pyval.Complex(complex(hexFloat(t, testkit.Text(row, "re_hex")), hexFloat(t, testkit.Text(row, "im_hex"))))
	case "list":
		return pyval.NewList(items()...)
	case "tuple":
		return pyval.NewTuple(items()...)
	case "dict":
		d := pyval.NewDict(0)
		for _, item := range testkit.Field(row, "v").(*pyval.List).Items {
			pair := item.(*pyval.List).Items
			require.NoError(t, d.Set(tagged(t, pair[0]), tagged(t, pair[1])))
		}
		return d
	default:
		t.Fatalf("unknown tag %q", tag)
		return nil
	}
}

func hexFloat(t testing.TB, s string) float64 {
	t.Helper()
	if s == "nan" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(s, 64)
	require.NoError(t, err)
	return f
}

// outcome is a value or an error as text; repr tells 5 from 5.0, and every
// float from its neighbours.
func outcome(v pyval.Value, err error) string {
	var raised *pyval.Exception
	switch {
	case errors.As(err, &raised):
		return "raised " + raised.Class + ": " + raised.Msg
	case err != nil:
		return "error " + err.Error()
	}
	return pyval.Repr(v)
}

func wantOutcome(t testing.TB, row *pyval.Dict) string {
	t.Helper()
	if e, ok := testkit.Field(row, "error").(*pyval.Dict); ok {
		return "raised " + testkit.Text(e, "type") + ": " + testkit.Text(e, "message")
	}
	return pyval.Repr(tagged(t, testkit.Field(row, "result")))
}

func goldenArgs(t testing.TB, row *pyval.Dict) (args []pycall.Arg) {
	t.Helper()
	for _, v := range testkit.Field(row, "args").(*pyval.List).Items {
		args = append(args, pycall.Arg{Value: tagged(t, v)})
	}
	for _, v := range testkit.Field(row, "kwargs").(*pyval.List).Items {
		pair := v.(*pyval.List).Items
		args = append(args, pycall.Arg{Name: pyval.Text(pair[0]), Value: tagged(t, pair[1])})
	}
	return args
}

func TestGoldenCalls(t *testing.T) {
	run, call := compare(t, "exec/calls.jsonl as text"), compare(t, "exec/calls.jsonl as call")
	testkit.Rows(t, testkit.GoldenFile(t, "exec", "calls.jsonl"), func(_ int, row *pyval.Dict) {
		text, want := testkit.Text(row, "call"), wantOutcome(t, row)
		run.same(text, outcome(exec.Run(t.Context(), nil, text)), want)
		call.same(text, outcome(exec.Call(t.Context(), nil, testkit.Text(row, "function"), goldenArgs(t, row)...)), want)
	})
}

// canned answers every request with one response and notes what was asked.
type canned struct {
	response exec.Response
	raised   error
	requests []exec.Request
	sleeps   []int
}

func (c *canned) Do(_ context.Context, req exec.Request) (exec.Response, error) {
	c.requests = append(c.requests, req)
	return c.response, c.raised
}

func (c *canned) sleep(_ context.Context, d time.Duration) error {
	c.sleeps = append(c.sleeps, int(d/time.Second))
	return nil
}

func cannedFor(row *pyval.Dict) *canned {
	body := row
	if r, ok := testkit.Field(row, "response").(*pyval.Dict); ok {
		body = r
	}
	status, _ := testkit.Field(body, "status").(pyval.Int)
	n, _ := status.Int64()
	return &canned{response: exec.Response{Status: int(n), Body: testkit.Text(body, "body")}}
}

func TestGoldenNetwork(t *testing.T) {
	c := compare(t, "exec/network.jsonl")
	testkit.Rows(t, testkit.GoldenFile(t, "exec", "network.jsonl"), func(_ int, row *pyval.Dict) {
		answer := cannedFor(row)
		env := &exec.Env{Client: answer, Sleep: answer.sleep}
		text := testkit.Text(row, "call")
		got := outcome(exec.Run(t.Context(), env, text))
		want := wantOutcome(t, row)
		got += " slept " + asJSON(answer.sleeps)
		want += " slept " + sleepsOf(row)
		if n, ok := testkit.Field(row, "request_count").(pyval.Int); ok {
			got += " requests " + strconv.Itoa(len(answer.requests))
			want += " requests " + n.String()
		} else {
			got += " " + asJSON(described(answer.requests))
			want += " " + asJSON(wantedRequests(row))
		}
		c.same(text, got, want)
	})
}

func asJSON(v any) string {
	out, _ := json.Marshal(v)
	if string(out) == "null" {
		return "[]"
	}
	return string(out)
}

func sleepsOf(row *pyval.Dict) string {
	var out []int64
	for _, v := range testkit.Field(row, "sleeps").(*pyval.List).Items {
		n, _ := v.(pyval.Int).Int64()
		out = append(out, n)
	}
	return asJSON(out)
}

type plainRequest struct {
	Method, URL string
	Headers     map[string]string
}

func described(reqs []exec.Request) (out []plainRequest) {
	for _, r := range reqs {
		headers := map[string]string{}
		for name, value := range r.Header {
			if !strings.Contains(" User-Agent Accept-Encoding Accept Connection ", " "+name+" ") {
				headers[name] = value
			}
		}
		out = append(out, plainRequest{r.Method, r.URL, headers})
	}
	return out
}

func wantedRequests(row *pyval.Dict) (out []plainRequest) {
	for _, v := range testkit.Field(row, "requests").(*pyval.List).Items {
		r := v.(*pyval.Dict)
		url := testkit.Text(r, "prepared_url")
		if url == "" {
			url = testkit.Text(r, "url")
		}
		headers := map[string]string{}
		for name, value := range testkit.Field(r, "headers").(*pyval.Dict).All() {
			headers[pyval.Text(name)] = pyval.Text(value)
		}
		out = append(out, plainRequest{testkit.Text(r, "method"), url, headers})
	}
	return out
}
