package catalog

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/plainfile"

	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// with is a file with one model and some more lines in it.
func with(lines ...string) string {
	return "models:\n  m:\n    adapter: openai\n    id: x\n    " + strings.Join(lines, "\n    ") + "\n"
}

func TestReadErrors(t *testing.T) {
	const planted = "sk-planted0123456789abcdef"
	cases := []struct{ name, text, want string }{
		{"unknown key", with("temperture: 1"), ":5: m: unknown key \"temperture\""},
		{"near key", with("base_ulr: x"), ":5: m: unknown key \"base_ulr\"; did you mean \"base_url\"?"},
		{"near nested key", with("parameters: {temprature: 1}"), ":5: parameters: unknown key \"temprature\"; did you mean \"temperature\"?"},
		{"unknown top key", "model:\n  m: {}\n", ":1: the file: unknown key \"model\"; did you mean \"models\"?"},
		{"top list", "- a\n", ":1: the file: want a mapping, found a list"},
		{"models list", "models: [a]", ":1: models: want a mapping, found a list"},
		{"model text", "models:\n  m: gpt-4\n", ":2: m: want a mapping, found a text"},
		{"adapter missing", "models:\n  m: {id: x}\n", ":2: m has no adapter"},
		{"id missing", "models:\n  m: {adapter: openai}\n", ":2: m has no id"},
		{"adapter form", "models: {m: {adapter: Open AI, id: x}}", "adapter: want the name of an adapter"},
		{"model twice", "models:\n  m: {adapter: openai, id: x}\n  m: {}\n", ":3: models: m is given twice, first in line 2"},
		{"key twice", with("rpm: 1", "rpm: 2"), ":6: m: rpm is given twice, first in line 5"},
		{"alias twice", "models:\n  a: {adapter: openai, id: x, aliases: [z]}\n  b: {adapter: openai, id: y, aliases: [z]}\n", ":3: b: the alias z belongs to a"},
		{"alias is a name", "models:\n  a: {adapter: openai, id: x, aliases: [b]}\n  b: {adapter: openai, id: y}\n", ":2: a: the alias b belongs to b"},
		{"aliases text", with("aliases: z"), ":5: aliases: want a list of names, found a text"},
		{"number for text", with("display_name: 4"), ":5: display_name: want a string, found a whole number"},
		{"id number", "models: {m: {adapter: openai, id: 4}}", "id: want a string, found a whole number"},
		{"text for number", with("parameters: {temperature: hot}"), "temperature: want a number, found a text"},
		{"negative", with("parameters: {temperature: -1}"), "temperature: want a finite number of 0 or more"},
		{"nan", with("prices: {input: .nan, output: 1}"), "input: want a finite number"},
		{"fraction", with("rpm: 1.5"), "rpm: want a whole number, found a number"},
		{"zero", with("concurrency: 0"), "concurrency: want a whole number between 1 and"},
		{"huge", with("tpm: 99999999999999999999"), "tpm: want a whole number"},
		{"yes", with("underscore_to_dot: yes"), "underscore_to_dot: want true or false, found a text"},
		{"mode", with("mode: tools"), ":5: mode: want fc or prompt"},
		{"one price", with("prices: {input: 1}"), ":5: prices: set both input and output"},
		{"price key", with("prices: {inputs: 1, output: 1}"), "prices: unknown key \"inputs\"; did you mean \"input\""},
		{"priced", with("prices: {input: 1, output: 1, priced: yesterday}"), "priced: want a day such as 2026-01-31"},
		{"base url", with("base_url: localhost:8000"), "base_url: want an address such as http://localhost:8000/v1"},
		{"base url password", with("base_url: https://u:" + planted + "@h/v1"), "base_url: an address cannot hold a user and password"},
		{"base url key", with("base_url: https://h/v1?api_key=" + planted), "base_url: an address cannot hold a key"},
		{"key itself", with("key: " + planted), ":5: key: want the name of an environment variable"},
		{"key itself, no dash", with("key: AIzaSyplantedplantedplanted00"), ":5: key: want the name"},
		{"key list", with("key: [" + planted + "]"), "key: want a string, found a list"},
		{"literal bearer", with("headers: {Authorization: Bearer " + planted + "}"), ":5: header Authorization: a literal key would end up in version control"},
		{"literal api key", with("headers: {X-Api-Key: hunter2}"), "header X-Api-Key: a literal key"},
		{"half literal", with(`headers: {api-key: "${A}suffix"}`), "header api-key: a literal key"},
		{"key under another name", with("headers: {X-Title: " + planted + "}"), "header X-Title: a literal key"},
		{"bad reference", with(`headers: {X-Title: "${1A}"}`), "header X-Title: write a variable as ${NAME}"},
		{"header name", with(`headers: {"a b": c}`), "a b is not the name of a header"},
		{"header line", with(`headers: {X-A: "a\r\nX-B: c"}`), "headers.X-A: it holds a control character"},
		{"header number", with("headers: {X-A: 1}"), "headers.X-A: want a string, found a whole number"},
		{"key in extra", with("extra: {a: [{b: " + planted + "}]}"), "extra.a: this looks like a key"},
		{"extra list", with("extra: [a]"), "extra: want a mapping, found a list"},
		{"extra infinite", with("extra: {a: .inf}"), "extra.a: a number that JSON cannot hold"},
		{"extra binary", with("extra: {a: !!binary aGk=}"), "extra.a: a value of another type that JSON cannot hold"},
		{"number as key", "models:\n  4: {adapter: openai, id: x}\n", ":2: models: a key must be a text, found a whole number: put it into quotes"},
		{"empty name", `models: {"": {adapter: openai, id: x}}`, "models: the name of a model must not be empty"},
		{"name with escape", `models: {"a\e[1m": {adapter: openai, id: x}}`, "models: the name of a model"},
		{"merge", "models:\n  a: &a {adapter: openai, id: x}\n  b:\n    <<: *a\n", ":4: b: merge keys (<<) are not read"},
		{"two documents", "models: {}\n---\nmodels: {}\n", "a second document"},
		{"syntax", "models:\n  m: {adapter: openai\n", "not YAML: "},
		{"tab", "models:\n\tm: {}\n", ":2: not YAML: "},
		{"alias to what holds it", "models:\n  m: &m\n    adapter: openai\n    id: x\n    extra: {a: *m}\n", ""},
		{"unknown anchor", "models: *a\n", "not YAML: "},
		{"control byte", "models: \x00\n", "not YAML: "},
		{"invalid UTF-8", "models: {\xff: {}}\n", "not YAML: "},
		{"deep", "models: " + strings.Repeat("[", 200_000), "not YAML: "},
		{"deep extra", with("extra: {a: " + strings.Repeat("[", 60) + strings.Repeat("]", 60) + "}"), "extra.a: nested too deeply"},
		{"large", strings.Repeat("#", plainfile.MaxBytes+1), ":1: the file is larger than"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Load(write(t, tc.text))
			require.Error(t, err)
			assert.Contains(t, err.Error(), tc.want)
			assert.Contains(t, err.Error(), "models.yaml:")
			assert.NotContains(t, err.Error(), planted)
			assert.NotContains(t, err.Error(), "\x1b")
		})
	}
}

// TestNoDeviceIsRead: both files are looked for in the current folder, which may
// be a stranger's.
func TestNoDeviceIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("devices are not files there")
	}
	path := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink("/dev/zero", path))
	testkit.Fails(Load(path))(t, "is not a regular file")
	testkit.Fails(LoadEnv(path))(t, "is not a regular file")
}

// TestReadBomb: aliases of aliases are counted each time they are followed.
func TestReadBomb(t *testing.T) {
	var b strings.Builder
	b.WriteString("models:\n  m:\n    adapter: openai\n    id: x\n    extra:\n      a0: &a0 [1, 2, 3, 4, 5, 6, 7, 8, 9]\n")
	for i := 1; i < 12; i++ {
		n := string(rune('a' + i))
		p := "a0"
		if i > 1 {
			p = string(rune('a' + i - 1))
		}
		b.WriteString("      " + n + ": &" + n + " [" + strings.TrimSuffix(strings.Repeat("*"+p+", ", 9), ", ") + "]\n")
	}
	start := time.Now()
	_, err := Load(write(t, b.String()))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "more than 100000 values")
	t.Logf("refused after %v", time.Since(start))
}

// TestReadAll: all faults of a file are told at once.
func TestReadAll(t *testing.T) {
	_, err := Load(write(t, with("rpm: x", "tpm: y", "mode: z")))
	require.Error(t, err)
	assert.Len(t, strings.Split(err.Error(), "\n"), 3)
}

func TestReadAlias(t *testing.T) {
	c := load(t, "models:\n  a:\n    adapter: openai\n    id: x\n    parameters: &p {temperature: 1}\n  b: {adapter: openai, id: y, parameters: *p}\n")
	assert.Equal(t, number(1), resolve(t, c, "b").Parameters.Temperature)
}

func FuzzRead(f *testing.F) {
	f.Add(with("rpm: 1", "extra: {a: [1, 2.5, {b: null}]}"))
	f.Add(with("headers: {Authorization: \"Bearer ${K}\"}", "prices: {input: 1, output: 2, priced: 2026-01-31}"))
	f.Add("models: {a: &a {adapter: openai, id: x}, b: *a}")
	f.Add("models: !!binary x\n--- {}\n")
	f.Add("? [a]\n: b\n")
	f.Add(string(embedded[:1500]))
	f.Fuzz(func(t *testing.T, text string) {
		c := &Catalog{entries: map[string]Entry{}, aliases: map[string]string{}}
		if err := c.read("f.yaml", []byte(text)); err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "f.yaml:") {
					t.Fatalf("an error without its line: %q", line)
				}
			}
			return
		}
		for _, e := range c.List() {
			if e.Adapter == "" || e.ID == "" {
				t.Fatalf("incomplete entry %+v", e)
			}
			_, _ = e.Access(environment())
			_ = WriteTable(discard{}, []Entry{e}, environment())
			if err := json.NewEncoder(discard{}).Encode(Rows([]Entry{e}, environment())); err != nil {
				t.Fatal(err)
			}
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
