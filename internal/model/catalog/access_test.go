package catalog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

const planted = "planted-secret-value"

func TestSecret(t *testing.T) {
	s := Secret(planted)
	holder := struct {
		Key  Secret            `json:"key"`
		Map  map[string]Secret `json:"map"`
		List []Secret
		Any  any
	}{s, map[string]Secret{"k": s}, []Secret{s}, &s}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "key", s, "holder", holder)
	asJSON := testkit.Must(json.Marshal(holder))(t)
	asYAML := testkit.Must(yaml.Marshal(map[string]any{"key": s}))(t)
	texts := []string{log.String(), string(asJSON), string(asYAML), s.String(), s.GoString()}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T %v", "%10.3s", "%!"} {
		texts = append(texts, fmt.Sprintf(verb, s, s), fmt.Sprintf(verb, holder, holder))
	}
	for _, text := range texts {
		assert.NotContains(t, text, planted)
		assert.NotContains(t, text, fmt.Sprintf("%x", planted))
	}
	assert.Equal(t, "[hidden]", fmt.Sprint(s))
	assert.Equal(t, planted, string(s))
}

func TestAccessKey(t *testing.T) {
	c := load(t, `
models:
  own: {adapter: openai, id: o, base_url: "https://llm.example.com/v1", key: MY_KEY}
  header: {adapter: openai, id: h, base_url: "https://api.x.ai/v1", headers: {Authorization: "Bearer ${MY_KEY}"}}
  azure: {adapter: openai, id: a, base_url: "https://${RESOURCE}.openai.azure.com"}
`)
	cases := []struct {
		model, base string
		variables   []string // each alone gives the key
		needed      bool
	}{
		{"openai:x", "", []string{"OPENAI_API_KEY"}, true},
		{"responses:x", "", []string{"OPENAI_API_KEY"}, true},
		{"anthropic:x", "", []string{"ANTHROPIC_API_KEY"}, true},
		{"gemini:x", "", []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, true},
		{"cohere:x", "", []string{"COHERE_API_KEY", "CO_API_KEY"}, true},
		{"openai:x", "https://r.openai.azure.com/", []string{"AZURE_OPENAI_API_KEY"}, true},
		{"openai:x", "https://openrouter.ai/api/v1", []string{"OPENROUTER_API_KEY"}, true},
		{"openai:x", "https://api.deepseek.com", []string{"DEEPSEEK_API_KEY"}, true},
		{"openai:x", "https://api.mistral.ai/v1", []string{"MISTRAL_API_KEY"}, true},
		{"openai:x", "https://api.fireworks.ai/inference/v1", []string{"FIREWORKS_API_KEY"}, true},
		{"openai:x", "https://api.together.xyz/v1", []string{"TOGETHER_API_KEY"}, true},
		{"openai:x", "https://API.X.AI:443/v1", []string{"XAI_API_KEY", "GROK_API_KEY"}, true},
		{"openai:x", "https://api.moonshot.cn/v1", []string{"MOONSHOT_API_KEY", "KIMI_API_KEY"}, true},
		{"openai:x", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", []string{"DASHSCOPE_API_KEY", "QWEN_API_KEY"}, true},
		{"openai:x", "https://api.groq.com/openai/v1", []string{"GROQ_API_KEY"}, true},
		{"openai:x", "https://api.anthropic.com/v1", []string{"ANTHROPIC_API_KEY"}, true},
		{"openai:x", "http://localhost:8000/v1", []string{"OPENAI_API_KEY"}, false},
		{"openai:x", "https://llm.example.com/v1", []string{"OPENAI_API_KEY"}, false},
		{"openai:x", "https://api.openai.com.evil.example/v1", []string{"OPENAI_API_KEY"}, false},
		{"openai:x", "https://fakeapi.x.ai/v1", []string{"OPENAI_API_KEY"}, false},
		{"own", "", []string{"MY_KEY"}, true},
		{"bedrock:x", "", nil, false},
		{"replay:dir", "", nil, false},
	}
	for _, tc := range cases {
		e := resolve(t, c, tc.model)
		if tc.base != "" {
			e = e.At(tc.base)
		}
		for _, name := range tc.variables {
			a, err := e.Access(environment(name, " "+planted+"\n"))
			require.NoError(t, err, tc.model)
			assert.Equal(t, planted, string(a.Key), "%s at %s from %s", tc.model, tc.base, name)
			assert.Equal(t, name, a.KeyVariable)
			assert.Equal(t, []string{planted}, a.Secrets())
		}
		a, err := e.Access(environment("OPENAI_API_KEY", ""))
		if !tc.needed {
			assert.NoError(t, err, tc.model)
			assert.Empty(t, a.Key)
			continue
		}
		for _, variable := range tc.variables {
			assert.ErrorContains(t, err, variable, tc.model)
		}
	}
	assert.EqualError(t, testkit.Err(resolve(t, c, "own").Access(environment())), "model own: the key is missing: set MY_KEY in the environment or in .env")
	assert.EqualError(t, testkit.Err(resolve(t, c, "openai:x").Access(environment("OPENAI_API_KEY", "a\nb"))), "the key in OPENAI_API_KEY holds a control character")

	a := testkit.Must(resolve(t, c, "header").Access(environment("MY_KEY", planted)))(t)
	assert.Equal(t, "Bearer "+planted, string(a.Headers["Authorization"]))
	assert.NotContains(t, fmt.Sprintf("%+v %#v", a, a), planted)
	assert.EqualError(t, testkit.Err(resolve(t, c, "header").Access(environment())), "model header: header Authorization is missing: set MY_KEY in the environment or in .env")

	a = testkit.Must(resolve(t, c, "azure").Access(environment("RESOURCE", "r", "AZURE_OPENAI_API_KEY", planted)))(t)
	assert.Equal(t, "https://r.openai.azure.com", a.Entry.BaseURL)
	assert.Equal(t, planted, string(a.Key))
	assert.NoError(t, testkit.Err(resolve(t, c, "azure").Access(environment("RESOURCE", "evil.example/", "AZURE_OPENAI_API_KEY", planted))), "the variable is the user's own")
}

// TestAccessAddress: the provider's variable is the address of an entry that
// names none; a model of the catalogue has no price there.
func TestAccessAddress(t *testing.T) {
	c := load(t, "models: {mine: {adapter: openai, id: x, key: K, rpm: 5, prices: {input: 1, output: 1}}}")
	env := environment("OPENAI_BASE_URL", "http://localhost:8000/v1", "K", planted)
	a := testkit.Must(resolve(t, c, "gpt-4.1").Access(env))(t)
	assert.Equal(t, "http://localhost:8000/v1", a.Entry.BaseURL)
	assert.False(t, a.Entry.Prices.Known())
	assert.Empty(t, a.Key)

	a = testkit.Must(resolve(t, c, "mine").Access(env))(t)
	assert.Equal(t, []any{planted, 5, true}, []any{string(a.Key), a.Entry.RPM, a.Entry.Prices.Known()})

	a = testkit.Must(resolve(t, c, "deepseek-flash").Access(environment("OPENAI_BASE_URL", "http://x", "DEEPSEEK_API_KEY", "k")))(t)
	assert.Equal(t, "https://api.deepseek.com", a.Entry.BaseURL)

	a = testkit.Must(resolve(t, c, "openai:gpt-4.1").Access(environment("OPENAI_BASE_URL", "https://api.openai.com/v1/", "OPENAI_API_KEY", "k")))(t)
	assert.True(t, a.Entry.Prices.Known())

	_, err := resolve(t, c, "gpt-4.1").Access(environment("OPENAI_BASE_URL", "https://u:"+planted+"@h/v1", "OPENAI_API_KEY", "k"))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "OPENAI_BASE_URL: an address cannot hold a user and password")
	assert.NotContains(t, err.Error(), planted)
}

func TestIsLocal(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "localhost:8000": true, "127.0.0.1:1": true, "[::1]:8000": true, "[::1]": true, "10.1.2.3": true,
		"192.168.0.9:80": true, "0.0.0.0:8000": true, "gpu-box:8000": true, "host.docker.internal": true, "x.local": true,
		"8.8.8.8": false, "example.com": false, "localhost.example.com": false, "": false, "https://${H}": false,
	} {
		assert.Equal(t, want, isLocal(host), host)
	}
}

// TestUpstreamsServer: upstream's variables say where the models are that a
// user's own server has, and nothing about others.
func TestUpstreamsServer(t *testing.T) {
	own := load(t, "models:\n  mine: {adapter: openai, id: m, base_url: \"http://localhost:9/v1\"}\n")
	for _, c := range []struct {
		model, base, key string
		env              map[string]string
	}{
		{"Qwen/Qwen3-8B-FC", "http://localhost:8000/v1", "", nil},
		{"Qwen/Qwen3-8B-FC", "http://gpu1:1053/v1", "", map[string]string{"LOCAL_SERVER_ENDPOINT": "gpu1"}},
		{"Qwen/Qwen3-8B-FC", "http://localhost:7000/v1", "", map[string]string{"LOCAL_SERVER_PORT": "7000"}},
		{"Qwen/Qwen3-8B-FC", "https://llm.example/v1", planted, map[string]string{
			"REMOTE_OPENAI_BASE_URL": "https://llm.example/v1", "LOCAL_SERVER_PORT": "7000", "REMOTE_OPENAI_API_KEY": planted,
		}},
		{"completions:x", "http://gpu1:7000/v1", "", map[string]string{"LOCAL_SERVER_ENDPOINT": "gpu1", "LOCAL_SERVER_PORT": "7000"}},
		{"openai:x", "", "theirs", map[string]string{"LOCAL_SERVER_ENDPOINT": "gpu1", "OPENAI_API_KEY": "theirs", "REMOTE_OPENAI_API_KEY": planted}},
		{"mine", "http://localhost:9/v1", "", map[string]string{"LOCAL_SERVER_ENDPOINT": "gpu1", "REMOTE_OPENAI_API_KEY": planted}},
	} {
		env := func(name string) (string, bool) { value, ok := c.env[name]; return value, ok }
		got, err := resolve(t, own, c.model).AtOwnServer(env).Access(env)
		require.NoError(t, err, c.model)
		assert.Equal(t, c.base, got.Entry.BaseURL, "%s %v", c.model, c.env)
		assert.Equal(t, Secret(c.key), got.Key, "%s %v", c.model, c.env)
	}
}

func TestReadEnv(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	put := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	put("# keys\nA=one\nexport B='two words'\nC=\"line1\nline2\" # note\n\nD=\nE=$A-${A}\n")
	got := testkit.Must(ReadEnv(path))(t)
	assert.Equal(t, map[string]string{"A": "one", "B": "two words", "C": "line1\nline2", "D": "", "E": "one-one"}, got)

	cases := []struct{ text, want string }{
		{"A=1\n" + planted + " and more\n", ".env:2: "},
		{"A=1\nB=\"x\ny\"\n\n!" + planted + "=1\n", ".env:5: "},
		{"A=1\nB='open " + planted + "\nC=2\n", ".env:2: "},
		{"A=1\x00", ".env:1: "},
		{strings.Repeat("A=1\n", 20_000), ".env: larger than 65536 bytes"},
		{strings.Repeat("'\n", 30_000), ".env:1: "},
		{"A=1\n" + strings.Repeat("A='1\n", 10_000), ".env:2: "},
	}
	for _, tc := range cases {
		put(tc.text)
		_, err := ReadEnv(path)
		require.Error(t, err, tc.want)
		assert.Contains(t, err.Error(), tc.want)
		assert.NotContains(t, err.Error(), planted)
	}
	assert.Error(t, testkit.Err(ReadEnv(t.TempDir())), "a folder")
}

func TestLoadEnv(t *testing.T) {
	path := filepath.Join(t.TempDir(), ".env")
	added, err := LoadEnv(path)
	assert.NoError(t, err, "no file is no error")
	assert.Empty(t, added)
	for _, name := range []string{"BFCL_TEST_NEW", "BFCL_TEST_EMPTY", "BFCL_TEST_SET"} {
		t.Setenv(name, "")
	}
	t.Setenv("BFCL_TEST_SET", "environment")
	require.NoError(t, os.Unsetenv("BFCL_TEST_NEW"))
	require.NoError(t, os.WriteFile(path, []byte("BFCL_TEST_NEW=file\nBFCL_TEST_EMPTY=file\nBFCL_TEST_SET=file\n"), 0o600))
	added = testkit.Must(LoadEnv(path))(t)
	assert.Equal(t, []string{"BFCL_TEST_NEW"}, added)
	assert.Equal(t, "file", os.Getenv("BFCL_TEST_NEW"))
	assert.Empty(t, os.Getenv("BFCL_TEST_EMPTY"))
	assert.Equal(t, "environment", os.Getenv("BFCL_TEST_SET"))
}

func FuzzReadEnv(f *testing.F) {
	f.Add("A=1\nB='x y'\nC=\"$A\"\n")
	f.Add("export A\n=\n'")
	f.Add("A: 1\nA=\"\\\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseEnv([]byte(text)); err != nil {
			if line := faultyLine([]byte(text)); line < 1 || line > strings.Count(text, "\n")+1 {
				t.Fatalf("line %d", line)
			}
		}
	})
}

func TestTable(t *testing.T) {
	c := load(t, `
models:
  plain: {adapter: openai, id: x, base_url: "http://localhost:1/v1", prices: {gpu_hour: 2.5}}
  "evil\u202e": {adapter: openai, id: "a\u2028b", base_url: "https://api.x.ai/v1", prices: {input: 0.0375, output: 1000, priced: 2026-01-31}}
`)
	env := environment("ANTHROPIC_API_KEY", planted, "AWS_PROFILE", "p")
	var list []Entry
	for _, name := range []string{"plain", "evil\u202e", "claude-haiku-4-5", "nova-pro", "gemini-2.5-pro"} {
		list = append(list, resolve(t, c, name))
	}
	var table, asJSON bytes.Buffer
	require.NoError(t, WriteTable(&table, list, env))
	require.NoError(t, json.NewEncoder(&asJSON).Encode(Rows(list, env)))
	for _, want := range []string{
		"2.5/h        -  optional\n", `"evil\u202e"  `, "0.0375     1000  missing\n", "claude-haiku-4-5 ", "5  set\n",
	} {
		assert.Contains(t, table.String(), want)
	}
	for line := range strings.Lines(table.String()) {
		assert.LessOrEqual(t, len(line), 81, line)
	}
	for i, want := range []string{"not needed (OPENAI_API_KEY if set)", "XAI_API_KEY or GROK_API_KEY missing", "ANTHROPIC_API_KEY set", "AWS_PROFILE set", "GOOGLE_API_KEY or GEMINI_API_KEY missing"} {
		var one bytes.Buffer
		require.NoError(t, WriteTable(&one, list[i:i+1], env))
		assert.Contains(t, one.String(), want)
	}
	assert.NotContains(t, table.String()+asJSON.String(), planted)
	assert.NotContains(t, table.String(), "\u202e")
	assert.Len(t, strings.Split(strings.TrimSpace(table.String()), "\n"), 6)
	var rows []Row
	require.NoError(t, json.Unmarshal(asJSON.Bytes(), &rows))
	assert.Equal(t, []KeyState{KeyOptional, KeyMissing, KeySet, KeySet, KeyMissing},
		[]KeyState{rows[0].Key, rows[1].Key, rows[2].Key, rows[3].Key, rows[4].Key})
	state, _ := resolve(t, c, "nova-pro").KeyState(environment())
	assert.Equal(t, KeyElsewhere, state)
	state, _ = resolve(t, c, "oracle").KeyState(environment())
	assert.Equal(t, KeyNone, state)
	t.Logf("\n%s", table.String())
}
