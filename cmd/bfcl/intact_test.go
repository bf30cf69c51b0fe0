package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestARefusedRunTouchesNothing: a run that is refused, or cannot begin, leaves
// a complete run in its folder, byte for byte.
func TestARefusedRunTouchesNothing(t *testing.T) {
	t.Parallel()
	edit := func(change func(text string) string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, "result", pythonAnswers)
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path, []byte(change(string(data))), 0o644))
		}
	}
	flag := func(t *testing.T, dir string) {}
	for name, c := range map[string]struct {
		before func(t *testing.T, dir string)
		flags  []string
		code   int
		says   string
	}{
		"a conflict marker":          {edit(func(s string) string { return "<<<<<<< HEAD\n" + s }), []string{"-resume"}, exitTrouble, "_result.json:1:"},
		"a torn line":                {edit(func(s string) string { return "{\"id\": \n" + s }), []string{"-resume"}, exitTrouble, "_result.json:1:"},
		"a reformatted line":         {edit(func(s string) string { return strings.Replace(s, `{"id"`, "{\n\"id\"", 1) }), []string{"-resume"}, exitTrouble, "_result.json:1:"},
		"nothing to replay":          {flag, []string{"-categories=simple_python,web_search_base", "-search=replay:nope"}, exitMisuse, "nope"},
		"nothing to replay, resumed": {flag, []string{"-resume", "-categories=simple_python,web_search_base", "-search=replay:nope"}, exitTrouble, "begun without categories that need the search"},
		"another model":              {flag, []string{"-resume", "-model=oracle"}, exitTrouble, "made with model"},
		"UTF-16":                     {edit(func(s string) string { return "\xff\xfe" + s }), []string{"-resume"}, exitTrouble, "the file is in UTF-16"},
		"no dataset":                 {flag, []string{"-dataset=nope"}, exitMisuse, "nope"},
		"no gate":                    {flag, []string{"-gate=nope.yaml"}, exitMisuse, "nope"},
		"too many trials":            {flag, []string{"-trials=99999999"}, exitMisuse, "-trials must be at most"},
		"no such program":            {flag, []string{"-model=command:./nope"}, exitMisuse, "nope"},
		"no such agent":              {flag, []string{"-model=agent:./nope"}, exitMisuse, "nope"},
		"no key command":             {flag, []string{"-model=keyless", "-models=MODELS"}, exitMisuse, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir, models := filepath.Join(top, "run"), filepath.Join(top, "models.yaml")
			require.NoError(t, os.WriteFile(models, []byte("models:\n  keyless: {adapter: openai, id: m, base_url: \"http://127.0.0.1:9/v1\", key_command: \"exit 7\"}\n"), 0o644))
			says(t, "run", "-q", "-model=heuristic", "-categories=simple_python", "-run-dir="+dir)
			c.before(t, dir)
			was := tree(t, top)
			args := []string{"run", "-q", "-categories=simple_python", "-run-dir=" + dir}
			if !strings.Contains(strings.Join(c.flags, " "), "-model=") {
				args = append(args, "-model=heuristic")
			}
			for _, flag := range c.flags {
				args = append(args, strings.ReplaceAll(flag, "MODELS", models))
			}
			assert.Contains(t, refused(t, c.code, args...), c.says)
			assert.Equal(t, was, tree(t, top), fmt.Sprint(args))
		})
	}
}
