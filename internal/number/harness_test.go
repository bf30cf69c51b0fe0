package number_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/number/evaluate"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const (
	roomTool = `"function": [{"name": "room.area", "description": "Area.", "parameters": {"type": "dict", "properties": {"width": {"type": "integer", "description": "W."}, "unit": {"type": "string", "description": "U."}}, "required": ["width", "unit"]}}]`
	roomTask = `"question": [[{"role": "user", "content": "How large?"}]]`
)

// rooms is a dataset with a case that wants a call and one that wants none.
func rooms(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"BFCL_v4_simple_python.json":                 `{"id": "simple_python_0", ` + roomTask + `, ` + roomTool + `}`,
		"possible_answer/BFCL_v4_simple_python.json": `{"id": "simple_python_0", "ground_truth": [{"room.area": {"width": [4], "unit": ["m", "secret"]}}]}`,
		"BFCL_v4_irrelevance.json":                   `{"id": "irrelevance_0", ` + roomTask + `, ` + roomTool + `}`,
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text+"\n"), 0o600))
	}
	return dir
}

// pipe returns what a pipe says of lines.
func pipe(t testing.TB, p evaluate.Pipe, lines string) (said []map[string]any, n evaluate.Tally) {
	t.Helper()
	var out bytes.Buffer
	n = testkit.Must(p.Run(strings.NewReader(lines), &out))(t)
	for line := range strings.Lines(out.String()) {
		var one map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &one), line)
		said = append(said, one)
	}
	return said, n
}

// TestPipeForms: an answer has the same verdict in whatever form it comes.
func TestPipeForms(t *testing.T) {
	p := evaluate.Pipe{Bench: &evaluate.Bench{}, Dataset: rooms(t)}
	arguments := `{"width": 4, "unit": "m"}`
	text := testkit.Must(json.Marshal(arguments))(t)
	for _, answer := range []string{
		`"text": "[room.area(width=4, unit='m')]"`,
		`"calls": [{"room_area": ` + arguments + `}]`,
		`"calls": [{"name": "room_area", "arguments": ` + arguments + `}]`,
		`"calls": [{"name": "room_area", "arguments": ` + string(text) + `}]`,
		`"calls": [{"room.area": ` + arguments + `}], "underscore_to_dot": false`,
		`"result": [{"room_area": ` + string(text) + `}], "latency": 1.5`,
		`"message": {"role": "assistant", "content": null, "tool_calls": [{"function": {"name": "room_area", "arguments": ` + string(text) + `}}]}`,
		`"message": {"role": "assistant", "content": "[room.area(width=4, unit='m')]"}, "mode": "prompt"`,
		`"message": {"role": "assistant", "content": [{"type": "thinking", "thinking": "so"}, {"type": "tool_use", "name": "room_area", "input": ` + arguments + `}]}`,
		`"message": {"role": "assistant", "content": [{"text": "so"}, {"toolUse": {"name": "room_area", "input": ` + arguments + `}}]}`,
		`"message": {"role": "model", "parts": [{"text": "so", "thought": true}, {"functionCall": {"name": "room_area", "args": ` + arguments + `}}]}`,
		`"message": {"output": [{"type": "reasoning"}, {"type": "function_call", "name": "room_area", "arguments": ` + string(text) + `}]}`,
		`"message": [{"type": "function_call", "name": "room_area", "arguments": ` + string(text) + `}]`,
		`"dialect": "tool-call", "text": "<tool_call>\n{\"name\": \"room_area\", \"arguments\": {\"width\": 4, \"unit\": \"m\"}}\n</tool_call>"`,
	} {
		said, _ := pipe(t, p, `{"id": "simple_python_0", `+answer+"}\n")
		require.Len(t, said, 1)
		assert.Equal(t, "pass", said[0]["verdict"], "%s: %v", answer, said)
		assert.InDelta(t, 1, said[0]["rung"], 0)
	}
}

// TestPipeVerdicts: what is said of wrong answers, and of lines that cannot be
// judged.
func TestPipeVerdicts(t *testing.T) {
	p := evaluate.Pipe{Bench: &evaluate.Bench{}, Dataset: rooms(t)}
	for _, test := range []struct{ line, want string }{
		{`"calls": [{"room_area": {"width": "4", "unit": "m"}}]`, "fail type_error:simple known 0.67"},
		{`"calls": [{"room_area": {"width": 5, "unit": "m"}}]`, "fail value_error:others types 0.83"},
		{`"calls": [{"area": {}}]`, "fail simple_function_checker:wrong_func_name call 0.17"},
		{`"text": "I do not know."`, "fail ast_decoder:decoder_failed ground 0.00"},
		{`"text": "<tool_call>{\"name\": \"room_area\", \"arguments\": {\"width\": 4, \"unit\": \"m\"}}</tool_call>", "mode": "FC"`, "fail ast_decoder:decoder_failed ground 0.00 [server]"},
		{`"text": "x", "text": 1`, "text: want a text, not int"},
		{`"txt": "x"`, "unknown field"},
		{`"text": "x", "calls": []`, "2 of them are there"},
		{`"calls": {"f": {}}`, "calls: want a list, not dict"},
		{`"calls": [{"a": {}, "b": {}}]`, "calls[0]: want"},
		{`"calls": [1]`, "calls[0]: want an object, not int"},
		{`"message": "x"`, "message: want an assistant's message"},
		{`"message": {"role": "assistant"}`, "message: want an assistant's message"},
		{`"text": "x", "mode": "tools"`, "unknown mode"},
		{`"text": "x", "dialect": "klingon"`, "klingon"},
		{`"calls": [], "dialect": "tool-call"`, "give text"},
		{`"text": "x", "underscore_to_dot": "no"`, "underscore_to_dot: want true or false"},
		{`"text": "x", "dataset": "/nowhere"`, "unknown dataset"},
		{`"text": "x", "id": "simple_python_1"`, "did you mean"},
		{`"text": "x", "id": "simple_python_0@names"`, "there is no case"},
		{`"text": "x", "id": 7`, "id: want a text, not int"},
		{`"text": "x", "dataset": "starter", "id": "multi_turn_base_0"`, "is a conversation"},
		{`"result": [[["3"]]], "dataset": "starter", "id": "multi_turn_base_0"`, "fail multi_turn:force_terminated  0.00"},
		{`"text": "No.", "dataset": "starter", "id": "live_relevance_0-0-0"`, "fail relevance_error"},
		{`"result": [["No."]], "dataset": "starter", "id": "web_search_base_0"`, "fail agentic"},
		{`"calls": [{"f": {}}], "dataset": "starter", "id": "exec_simple_0"`, "fail executable_checker:execution_error  0.00"},
		{`"text": "Sorry.", "id": "irrelevance_0"`, "pass   1.00"},
		{`"calls": [{"room_area": {}}], "id": "irrelevance_0"`, "fail irrelevance_error:decoder_success  0.00"},
	} {
		said, n := pipe(t, p, "\n"+`{"id": "simple_python_0", `+test.line+"}\n")
		require.Len(t, said, 1)
		one := said[0]
		assert.InDelta(t, 2, one["line"], 0)
		if text, bad := one["error"]; bad {
			assert.Contains(t, text, test.want, test.line)
			assert.Contains(t, text, "line 2: ")
			assert.Equal(t, evaluate.Tally{Lines: 1, Bad: 1, FirstBad: 2}, n)
			continue
		}
		level, _ := one["level"].(string)
		kind, _ := one["error_type"].(string)
		got := fmt.Sprintf("%s %s %s %.2f", one["verdict"], kind, level, one["rung"])
		if suspect, ok := one["suspect"].(map[string]any); ok {
			got += fmt.Sprint(" ", suspect["who"])
		}
		assert.True(t, strings.HasPrefix(got, test.want), "%s: %s", test.line, got)
		assert.Equal(t, evaluate.Tally{Lines: 1}, n)
		assert.NotContains(t, fmt.Sprint(one), "secret")
	}
}

// TestPipeOrder: lines come out in the order in which they went in, whatever
// they are, and the last needs no end of line.
func TestPipeOrder(t *testing.T) {
	t.Parallel()
	p := evaluate.Pipe{Bench: &evaluate.Bench{}, Dataset: rooms(t), Mode: eval.FC}
	var in strings.Builder
	const lines = 3000
	for i := range lines {
		switch i % 100 {
		case 17:
			in.WriteString("{broken\n")
		case 18:
			in.WriteString(`{"id": "simple_python_0", "text": "` + strings.Repeat("(", 1<<15) + "\"}\n")
		default:
			in.WriteString(`{"id": "simple_python_0", "calls": [{"room_area": {"width": 4, "unit": "m"}}]}` + "\n")
		}
	}
	in.WriteString(`{"id": "simple_python_0", "calls": []}`)
	said, n := pipe(t, p, in.String())
	require.Len(t, said, lines+1)
	assert.Equal(t, evaluate.Tally{Lines: lines + 1, Bad: lines / 100, FirstBad: 18}, n)
	for i, one := range said {
		require.InDelta(t, i+1, one["line"], 0)
	}
}

// TestPipeDoesNotWait: a verdict comes before the next line does.
func TestPipeDoesNotWait(t *testing.T) {
	p := evaluate.Pipe{Bench: &evaluate.Bench{}, Dataset: rooms(t)}
	in, lines := io.Pipe()
	verdicts, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		_, err := p.Run(in, out)
		ended <- err
	}()
	r := bufio.NewReader(verdicts)
	for range 3 {
		testkit.Must(lines.Write([]byte(`{"id": "irrelevance_0", "text": "No."}` + "\n")))(t)
		line := testkit.Must(r.ReadString('\n'))(t)
		assert.Contains(t, line, `"verdict":"pass"`)
	}
	require.NoError(t, verdicts.Close()) // nobody reads on
	testkit.Must(lines.Write([]byte("{}\n")))(t)
	require.ErrorIs(t, <-ended, io.ErrClosedPipe)
	require.NoError(t, lines.Close())
}

// TestPipeLongLine: a line that is too long is an error of its own.
func TestPipeLongLine(t *testing.T) {
	t.Parallel()
	p := evaluate.Pipe{Bench: &evaluate.Bench{}, Dataset: rooms(t)}
	long := strings.Repeat("x", 17<<20)
	said, n := pipe(t, p, long+"\n"+`{"id": "irrelevance_0", "text": "No."}`+"\n"+long)
	require.Len(t, said, 3)
	assert.Equal(t, "line 1: the line is longer than 16 MB", said[0]["error"])
	assert.Equal(t, "pass", said[1]["verdict"])
	assert.Equal(t, "line 3: the line is longer than 16 MB", said[2]["error"], "the last, without an end")
	assert.Equal(t, 2, n.Bad)
}

func FuzzPipe(f *testing.F) {
	p := evaluate.Pipe{Bench: &evaluate.Bench{}, Dataset: rooms(f)}
	f.Add(`{"id": "simple_python_0", "calls": [{"room_area": {"width": 4}}]}`)
	f.Add(`{"id": "simple_python_0", "message": {"content": [{"type": "tool_use"}], "tool_calls": null}, "dialect": "tool-call"}`)
	f.Add(`{"id": "irrelevance_0", "result": [[[{"add": "{}"}]]]}`)
	f.Add(`{"id": "simple_python_0", "dataset": "", "text": "[f(x=1e999)]"}`)
	f.Fuzz(func(t *testing.T, line string) {
		line = strings.ReplaceAll(line, "dataset", "") // which would open any folder
		said, n := pipe(t, p, line)
		assert.Len(t, said, n.Lines)
	})
}
