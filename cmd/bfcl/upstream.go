package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/say"
)

// upstreamCommands are upstream's commands that have another name here.
var upstreamCommands = map[string]func(args []string) string{
	"generate":        generate,
	"results":         func([]string) string { return "each run is a folder in results/: `bfcl score results/NAME` shows one" },
	"scores":          func([]string) string { return "`bfcl report results/*/ --markdown` prints the table of several runs" },
	"test-categories": func([]string) string { return "`bfcl models --categories` lists the categories and their groups" },
}

// addOthers answers the names of upstream's commands, and of commands that are
// gone, with the command to use.
func (a *app) addOthers(root *cobra.Command) {
	add := func(name string, answer func(args []string) error) {
		root.AddCommand(&cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: func(_ *cobra.Command, args []string) error { return answer(args) }})
	}
	for name, answer := range upstreamCommands {
		add(name, func(args []string) error {
			return misuse.Errorf("%s is a command of upstream's: %s", name, answer(args))
		})
	}
	for name, instead := range option.Gone {
		if command, ok := strings.CutPrefix(name, "bfcl "); ok {
			add(command, func([]string) error { return misuse.Errorf("%s is gone: %s", name, instead) })
		}
	}
}

// generated are upstream's flags of generate, and what they are here; "" is
// nothing, since upstream starts the model's server and bfcl does not.
var generated = map[string]string{
	"model": "model", "test-category": "categories", "temperature": "temperature", "num-threads": "concurrency",
	"num-gpus": "", "gpu-memory-utilization": "", "backend": "", "local-model-path": "", "result-dir": "", "max-lora-rank": "", "lora-modules": "",
}

// generate is the command that asks and scores as upstream's generate and
// evaluate do together.
func generate(args []string) string {
	words := []string{program(), "run", "-dataset=v4"}
	var left []string
	for i := 0; i < len(args); i++ {
		flag, value, given := strings.Cut(args[i], "=")
		now, takes := generated[strings.TrimLeft(flag, "-")]
		if takes && !given && i+1 < len(args) {
			i, value = i+1, args[i+1]
		}
		if now == "" || value == "" {
			left = append(left, say.Plain(flag, 80))
			continue
		}
		words = append(words, shellWord("-"+now+"="+value))
	}
	answer := "one command asks a model and scores it:\n" + strings.Join(words, " ")
	if len(left) > 0 {
		answer += "\nwithout " + strings.Join(left, ", ") + ": docs/from-upstream.md says what does that here"
	}
	return answer
}
