package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/categories"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/option"
	"github.com/gobfcl/bfcl/internal/record"
	"github.com/gobfcl/bfcl/internal/record/advise"
	"github.com/gobfcl/bfcl/internal/say"
)

// upstreamCommands are upstream's commands that have another name here.
var upstreamCommands = map[string]func(args []string) string{
	"generate":        generate,
	"results":         func([]string) string { return "each run is a folder in results/: `bfcl score results/NAME` shows one" },
	"scores":          func([]string) string { return "`bfcl report results/*/ --markdown` prints the table of several runs" },
	"test-categories": func([]string) string { return "`bfcl models --categories` lists the categories and their groups" },
}

// addOthers answers the names of upstream's commands with what to use.
func (a *app) addOthers(root *cobra.Command) {
	for name, answer := range upstreamCommands {
		root.AddCommand(&cobra.Command{Use: name, Hidden: true, DisableFlagParsing: true, RunE: func(_ *cobra.Command, args []string) error {
			return option.Misuse("%s is a command of upstream's: %s", name, answer(args))
		}})
	}
}

// generated are upstream's flags of generate, and what they are here; "" is
// nothing, since upstream starts the model's server and bfcl does not.
var generated = map[string]string{
	"model": "model", "test-category": "categories", "temperature": "temperature", "num-threads": "concurrency",
	"num-gpus": "", "gpu-memory-utilization": "", "backend": "", "local-model-path": "", "result-dir": "", "max-lora-rank": "", "lora-modules": "",
}

// today returns the official dataset that has upstream's categories, under their
// names of today, and those that it lacks.
func today(list string) (dataset, kept string, lacks []string) {
	var now, first []string
	for name := range strings.SplitSeq(list, ",") {
		name = record.Today(name)
		_, err := categories.Standard().Select(name, func(c *eval.Category, _ bool) error { return nil })
		switch c := categories.Find(name); {
		case err != nil:
			lacks = append(lacks, name)
		case c != nil && c.Release == eval.V1:
			first = append(first, name)
		default:
			now = append(now, name)
		}
	}
	if len(now) == 0 && len(first) > 0 {
		return "v1", strings.Join(first, ","), lacks
	}
	return "v4", strings.Join(now, ","), append(lacks, first...)
}

// generate is the command that does what upstream's generate and evaluate do together.
func generate(args []string) string {
	dataset, words := "v4", []string(nil)
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
		if now == "categories" {
			var lacks []string
			dataset, value, lacks = today(value)
			for _, name := range lacks {
				left = append(left, "the category "+say.Plain(name, 80))
			}
		}
		if value != "" {
			words = append(words, "-"+now+"="+value)
		}
	}
	answer := "one command asks a model and scores it:\n" + advise.Command{Words: append([]string{"run", "-dataset=" + dataset}, words...)}.String()
	if len(left) > 0 {
		answer += "\nwithout " + strings.Join(left, ", ") + ": docs/from-upstream.md says what does that here"
	}
	return answer
}
