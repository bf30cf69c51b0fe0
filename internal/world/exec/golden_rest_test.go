package exec_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/exec"
	"github.com/stretchr/testify/require"
)

func TestGoldenRESTGroundTruth(t *testing.T) {
	recorded := replay(t, "rest", "replay.jsonl")
	requests, answers := compare(t, "rest/ground_truth.jsonl requests"), compare(t, "rest/ground_truth.jsonl answers")
	testkit.Rows(t, testkit.GoldenFile(t, "rest", "ground_truth.jsonl"), func(_ int, row *pyval.Dict) {
		id, call := testkit.Text(row, "id"), testkit.Text(row, "ground_truth_call")
		answer := &canned{response: exec.Response{Status: 200, Body: jsonText(t, testkit.Field(row, "response"))}}
		got, err := exec.Get(t.Context(), &exec.Env{Client: answer}, id, call)
		require.NoError(t, err)
		requests.same(id, asJSON(described(answer.requests)), asJSON(wantedRequests(row)))
		answers.same(id, shape(t, got.Body), wantShape(row))
		v := exec.JudgeREST(t.Context(), recorded, id, got.Body, texts(strings.ReplaceAll(call, "YOUR-", "")), nil)
		require.True(t, v.Passed(), "%s: %s %v", id, v.ErrorType, v.Detail)
	})
}

func jsonText(t testing.TB, v pyval.Value) string {
	t.Helper()
	text, err := pyval.JSON(v, 0)
	require.NoError(t, err)
	return text
}

// shape is what the check compares: type, length and keys.
func shape(t testing.TB, body string) string {
	t.Helper()
	v, err := pyval.ParseJSON(body)
	require.NoError(t, err)
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
		env, c := replay(t, "rest", file), compare(t, "rest/"+file)
		testkit.Rows(t, testkit.GoldenFile(t, "rest", file), func(_ int, row *pyval.Dict) {
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
			c.same(testkit.Text(row, "id")+" "+call, asJSON(got)+errorText(err), asJSON(want)+wantErr)
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
	data, err := os.ReadFile(testkit.Shared(t, "bfcl", "v1", "eval_checker", "rest-eval-response_v5.jsonl"))
	require.NoError(t, err)
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
		verdicts, requests := compare(t, "rest/verdicts.jsonl with "+file), compare(t, "rest/verdicts.jsonl requests")
		testkit.Rows(t, testkit.GoldenFile(t, "rest", "verdicts.jsonl"), func(_ int, row *pyval.Dict) {
			id := testkit.Text(row, "id")
			name := testkit.Text(row, "model") + " " + id
			decoded, failure := testkit.Field(row, "decoded"), decodeFailure(row, decoderPrefix)
			v := exec.JudgeREST(t.Context(), recorded, id, truth[id], decoded, failure)
			verdicts.same(name, runVerdict(v), wantVerdict(row))
			asked := &canned{}
			exec.JudgeREST(t.Context(), &exec.Env{Client: asked}, id, truth[id], decoded, failure)
			requests.same(name, asJSON(described(asked.requests)), asJSON(wantedRequest(row)))
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
