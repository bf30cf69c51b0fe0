package exec_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
)

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
	return testkit.Must(strconv.ParseFloat(s, 64))(t)
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
	testkit.Compare(t, testkit.GoldenFile(t, "exec", "calls.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		text, want := testkit.Text(row, "call"), wantOutcome(t, row)
		c.Same(text, want, outcome(exec.Run(t.Context(), nil, text)))
		c.Same(text, want, outcome(exec.Call(t.Context(), nil, testkit.Text(row, "function"), goldenArgs(t, row)...)))
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
	testkit.Compare(t, testkit.GoldenFile(t, "exec", "network.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
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
		c.Same(text, want, got)
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

func TestGoldenRESTGroundTruth(t *testing.T) {
	recorded := replay(t, "rest", "replay.jsonl")
	testkit.Compare(t, testkit.GoldenFile(t, "rest", "ground_truth.jsonl"), func(c *testkit.Comparison) {
		row := c.Row
		id, call := testkit.Text(row, "id"), testkit.Text(row, "ground_truth_call")
		answer := &canned{response: exec.Response{Status: 200, Body: jsonText(t, testkit.Field(row, "response"))}}
		got := testkit.Must(exec.Get(t.Context(), &exec.Env{Client: answer}, id, call))(t)
		c.Same(id, asJSON(wantedRequests(row)), asJSON(described(answer.requests)))
		c.Same(id, wantShape(row), shape(t, got.Body))
		v := exec.JudgeREST(t.Context(), recorded, id, got.Body, texts(strings.ReplaceAll(call, "YOUR-", "")), nil)
		require.True(t, v.Passed(), "%s: %s %v", id, v.ErrorType, v.Detail)
	})
}

func jsonText(t testing.TB, v pyval.Value) string {
	t.Helper()
	return testkit.Must(pyval.JSON(v, 0))(t)
}

// shape is what the check compares: type, length and keys.
func shape(t testing.TB, body string) string {
	t.Helper()
	v := testkit.Must(pyval.ParseJSON(body))(t)
	if list, ok := v.(*pyval.List); ok {
		out := "list " + strconv.Itoa(len(list.Items))
		for _, item := range list.Items {
			out += " " + keyText(item.(*pyval.Dict).Keys())
		}
		return out
	}
	return "dict " + keyText(v.(*pyval.Dict).Keys())
}

func keyText(keys []pyval.Value) string {
	set := map[string]bool{}
	for _, key := range keys {
		set[pyval.Text(key)] = true
	}
	return asJSON(set)
}

func wantShape(row *pyval.Dict) string {
	if testkit.Text(row, "response_type") == "dict" {
		return "dict " + keyText(testkit.Field(row, "keys").(*pyval.List).Items)
	}
	out := "list " + testkit.Field(row, "length").(pyval.Int).String()
	for _, keys := range testkit.Field(row, "element_keys").(*pyval.List).Items {
		out += " " + keyText(keys.(*pyval.List).Items)
	}
	return out
}

// TestGoldenRESTReplay compares each recorded answer with the replay's answer
// to its request.
func TestGoldenRESTReplay(t *testing.T) {
	for _, file := range []string{"replay.jsonl", "replay_all.jsonl"} {
		env := replay(t, "rest", file)
		testkit.Compare(t, testkit.GoldenFile(t, "rest", file), func(c *testkit.Comparison) {
			row := c.Row
			headers := pyval.Repr(testkit.Field(row, "headers"))
			call := "requests.get(" + pyval.Repr(testkit.Field(row, "url")) + ", headers=" + headers + ")"
			got, err := exec.Get(t.Context(), env, testkit.Text(row, "id"), call)
			want := exec.Response{Body: testkit.Text(row, "body")}
			if status, ok := testkit.Field(row, "status").(pyval.Int); ok {
				n, _ := status.Int64()
				want.Status = int(n)
			}
			wantErr := ""
			if e, ok := testkit.Field(row, "exception").(*pyval.Dict); ok {
				wantErr = "raised ConnectionError: " + testkit.Text(e, "message")
			}
			c.Same(testkit.Text(row, "id")+" "+call, asJSON(want)+wantErr, asJSON(got)+errorText(err))
		})
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return outcome(nil, err)
}

// truths are the lines of upstream's stored answers by case.
func truths(t *testing.T) map[string]string {
	t.Helper()
	data := testkit.Must(os.ReadFile(testkit.Shared(t, "bfcl", "v1", "eval_checker", "rest-eval-response_v5.jsonl")))(t)
	out := map[string]string{}
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		out["rest_"+strconv.Itoa(i)] = line
	}
	return out
}

func TestGoldenRESTVerdicts(t *testing.T) {
	truth := truths(t)
	for _, file := range []string{"replay.jsonl", "replay_all.jsonl"} {
		recorded := replay(t, "rest", file)
		testkit.Compare(t, testkit.GoldenFile(t, "rest", "verdicts.jsonl"), func(c *testkit.Comparison) {
			row := c.Row
			id := testkit.Text(row, "id")
			name := testkit.Text(row, "model") + " " + id
			decoded, failure := testkit.Field(row, "decoded"), decodeFailure(row, decoderPrefix)
			v := exec.JudgeREST(t.Context(), recorded, id, truth[id], decoded, failure)
			c.Same(name, wantVerdict(row), runVerdict(v))
			asked := &canned{}
			exec.JudgeREST(t.Context(), &exec.Env{Client: asked}, id, truth[id], decoded, failure)
			c.Same(name, asJSON(wantedRequest(row)), asJSON(described(asked.requests)))
		})
	}
}

func wantedRequest(row *pyval.Dict) []plainRequest {
	one := pyval.NewDict(1)
	one.SetStr("requests", pyval.NewList())
	if r := testkit.Field(row, "request"); r.Kind() != pyval.KindNone {
		one.SetStr("requests", pyval.NewList(r))
	}
	return wantedRequests(one)
}
