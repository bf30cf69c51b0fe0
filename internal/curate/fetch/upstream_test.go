package fetch

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
)

// upstreamFiles are the files of a checkout of upstream's that belongs to a
// dataset: its data where upstream has them, and Python sources written anew
// from the values that must come out of them.
func upstreamFiles(t *testing.T, name string) map[string]string {
	t.Helper()
	dir := testkit.Shared(t, "bfcl", name)
	out := map[string]string{
		"README.md":                         "# Gorilla\n",
		"openfunctions/LICENSE":             "another licence\n",
		"openfunctions/utils.py":            "X = 1\n",
		leaderboard + "/README.md":          "# The leaderboard\n",
		leaderboard + "/bfcl_eval/cache.db": "not of use",
	}
	for _, file := range fixtures.Pinned(name).Files {
		if file.Path == "prompts.json" || file.Path == "long_context.json" {
			continue
		}
		data := testkit.Must(os.ReadFile(filepath.Join(dir, filepath.FromSlash(file.Path))))(t)
		place := leaderboard + "/" + file.Path
		switch {
		case file.Path == license:
			place = license
		case name == "v4":
			place = leaderboard + "/" + v4Data + strings.Replace(file.Path, upstream, readme, 1)
		}
		out[place] = string(data)
	}
	if name == "v4" {
		for file, source := range pythonSources(t, dir) {
			out[leaderboard+"/"+file] = source
		}
	}
	return out
}

func readJSON(t *testing.T, file string) *pyval.Dict {
	t.Helper()
	data := testkit.Must(os.ReadFile(file))(t)
	v := testkit.Must(pyval.ParseJSON(string(data)))(t)
	return v.(*pyval.Dict)
}

// pythonSources write the values of prompts.json and long_context.json as
// Python modules, each text in another style.
func pythonSources(t *testing.T, dir string) map[string]string {
	values := readJSON(t, filepath.Join(dir, "prompts.json"))
	w := writer{}
	texts := map[string]*strings.Builder{}
	at := func(file string) *strings.Builder {
		if texts[file] == nil {
			texts[file] = &strings.Builder{}
			texts[file].WriteString("\"\"\"What this module is for.\"\"\"\nimport os\nfrom pathlib import Path\n\nROOT = Path(__file__).resolve().parents[1]\n")
		}
		return texts[file]
	}
	for _, s := range recipe().Prompts {
		v, _ := values.GetStr(s.Key)
		if s.Whole != "" {
			fmt.Fprintf(at(s.File), "\n# %s\n%s = %s\n", s.Key, s.Whole, w.value(v))
		}
		for _, name := range s.Names {
			value, _ := v.(*pyval.Dict).GetStr(name)
			fmt.Fprintf(at(cmp.Or(s.Elsewhere[name], s.File)), "\n%s = %s\n", name, w.named(name, value, s.Key))
		}
		for i, text := range s.Texts {
			if text.File == "" {
				text.File = s.File
			}
			value, _ := v.(*pyval.Dict).GetStr(text.Key)
			fmt.Fprintf(at(text.File), "\n\ndef f%d(params, item):\n    if \"x\" in params:\n        item[\"description\"] += (\n            %s\n        )\n", i, inFunction(string(value.(pyval.Str)), text.Fields))
		}
	}
	long := readJSON(t, filepath.Join(dir, "long_context.json"))
	for key, value := range long.All() {
		text := strings.ReplaceAll(w.value(value), "{'$py': 'Ellipsis'}", "...")
		text = strings.ReplaceAll(text, `{"$py": "Ellipsis"}`, "...")
		fmt.Fprintf(at(recipe().Long.File), "\n%s = %s\n", pyval.Text(key), text)
	}
	out := map[string]string{}
	for file, text := range texts {
		out[file] = text.String()
	}
	return out
}

// inFunction is a text as an f-string that gets its values from somewhere.
func inFunction(text string, fields []string) string {
	if len(fields) == 0 {
		return "'" + strings.ReplaceAll(text, "'", `\'`) + "'"
	}
	for _, field := range fields {
		text = strings.Replace(text, "{"+field+"}", "{str(params['"+field+"'])}", 1)
	}
	half := strings.Index(text, " ") + 1
	return `f"` + text[:half] + "\"\n            f\"" + text[half:] + `"`
}

// A writer writes values as Python, texts in one style after the other.
type writer struct{ n int }

// named writes a constant as upstream may: made of others where it is.
func (w *writer) named(name string, v pyval.Value, section string) string {
	switch name {
	case "PROMPT_TEMPLATE_MAPPING":
		return "{\n    \"plaintext\": _PLAINTEXT_SYSTEM_PROMPT_TEMPLATE,\n    'markdown': _MARKDOWN_SYSTEM_PROMPT_TEMPLATE,\n}"
	case "DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_PROMPTING":
		return "(\n    \"{functions}\\n\" + DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC\n)"
	case "MEMORY_CATEGORY":
		return `[f"memory_{backend}" for backend in ALL_AVAILABLE_MEMORY_BACKENDS]`
	case "SINGLE_TURN_CATEGORY":
		return "NON_LIVE_CATEGORY + LIVE_CATEGORY"
	case "ALL_SCORING_CATEGORIES":
		return "[*SINGLE_TURN_CATEGORY, *MULTI_TURN_CATEGORY] + (\n MEMORY_CATEGORY + WEB_SEARCH_CATEGORY)"
	}
	if d, ok := v.(*pyval.Dict); ok && section == "type_mappings" && name != "GORILLA_TO_OPENAPI" && name != "GORILLA_TO_PYTHON" {
		var items []string
		for key, value := range d.All() {
			items = append(items, pyval.Repr(key)+": "+pyval.Text(value)+",")
		}
		return "{\n    " + strings.Join(items, "  # so\n    ") + "\n}"
	}
	return w.value(v)
}

func (w *writer) value(v pyval.Value) string {
	var items []string
	switch v := v.(type) {
	case pyval.Str:
		return w.text(string(v))
	case *pyval.List:
		for _, item := range v.Items {
			items = append(items, w.value(item))
		}
		return "[\n    " + strings.Join(items, ",\n    ") + ",\n]"
	case *pyval.Dict:
		if v.Has("$py") {
			return pyval.Repr(v)
		}
		for key, item := range v.All() {
			items = append(items, w.value(key)+": "+w.value(item))
		}
		return "{" + strings.Join(items, ", ") + "}"
	}
	return pyval.Repr(v)
}

func (w *writer) text(s string) string {
	w.n++
	escaped := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`).Replace(s)
	lines := strings.ReplaceAll(escaped, "\n", `\n`)
	switch middle := strings.Index(s, " ") + 1; w.n % 5 {
	case 1:
		return `"""` + escaped + `"""`
	case 2:
		return `u"` + lines + `"`
	case 3:
		return "(\n    " + pyval.Repr(pyval.Str(s[:middle])) + "\n    # and\n    " + pyval.Repr(pyval.Str(s[middle:])) + "\n)"
	case 4:
		return `"\` + "\n" + lines + `"`
	}
	return pyval.Repr(pyval.Str(s))
}

// packed is an archive of files as GitHub makes it: all in one folder.
func packed(t *testing.T, files map[string]string, entries ...*tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	require.NoError(t, archive.WriteHeader(&tar.Header{Typeflag: tar.TypeXGlobalHeader, Name: "pax_global_header", PAXRecords: map[string]string{"comment": "a commit"}}))
	require.NoError(t, archive.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "gorilla-hash/", Mode: 0o755}))
	require.NoError(t, archive.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "gorilla-hash/link", Linkname: "/etc/passwd"}))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		require.NoError(t, archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: "gorilla-hash/" + name, Size: int64(len(files[name])), Mode: 0o644}))
		testkit.Must(archive.Write([]byte(files[name])))(t)
	}
	for _, entry := range entries {
		require.NoError(t, archive.WriteHeader(entry))
		testkit.Must(archive.Write(make([]byte, entry.Size)))(t)
	}
	require.NoError(t, archive.Close())
	require.NoError(t, zipped.Close())
	return out.Bytes()
}

// content is all that lies in a folder.
func content(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		out[name] = string(data)
		return err
	}))
	return out
}
