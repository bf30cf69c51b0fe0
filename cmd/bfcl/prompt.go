package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gobfcl/bfcl/adapters"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/option"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// A prompting is one `bfcl prompt`.
type prompting struct {
	*app
	data    dataFlags
	models  []string
	mode    string
	baseURL string
	asJSON  bool
	// template and dialect are for models whose prompts bfcl makes itself.
	template, dialect string
}

// shownModels are the models whose requests are shown if none is named: one for
// each provider.
var shownModels = []string{
	"openai:gpt-4.1-mini", "responses:gpt-4.1-mini", "anthropic:claude-sonnet-4-5", "gemini:gemini-2.5-flash",
	"bedrock:us.amazon.nova-lite-v1:0", "cohere:command-a-03-2025",
}

func (a *app) promptCommand() *cobra.Command {
	p := &prompting{app: a}
	cmd := &cobra.Command{
		Use:   "prompt ID",
		Short: "Show exactly what a model is sent for a case",
		Long: `Show the request of a case as it would be sent: address and body, with messages,
tools and parameters. Without --model, a request to each provider of this build
is shown, and missing providers are named. Nothing is sent, no key is needed,
and headers are never shown. For a conversation, it is the first request.

` + exitCodes,
		Example: `  bfcl prompt requests_0 --dataset ./my-suite
  bfcl prompt requests_0 --dataset ./my-suite --model openai:gpt-4.1-mini --json
  bfcl prompt simple_python_0 --mode prompt --model openai:m --base-url http://localhost:8000/v1
  bfcl prompt requests_0 --dataset ./my-suite --model completions:m --dialect hermes \
    --chat-template ./model --base-url http://localhost:8000/v1`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return p.run(cmd, args[0]) },
	}
	f := cmd.Flags()
	p.data.register(cmd)
	f.StringArrayVar(&p.models, "model", nil, "the `model`, as for bfcl run; may be repeated (default one for each provider)")
	f.StringVar(&p.mode, "mode", "", "how calls travel: `fc or prompt` (default the model's own)")
	f.StringVar(&p.baseURL, "base-url", "", "the server's `address`")
	f.StringVar(&p.template, "chat-template", "", "for completions:<id>, the `file` or folder of the model's own template, or upstream")
	f.StringVar(&p.dialect, "dialect", "", "how the model writes calls, a `name` such as hermes or granite")
	f.BoolVar(&p.asJSON, "json", false, "print JSON")
	return cmd
}

// A shownPrompt is the request for one model.
type shownPrompt struct {
	Model string          `json:"model"`
	URL   string          `json:"url"`
	Body  json.RawMessage `json:"body"`
}

func (p *prompting) run(cmd *cobra.Command, id string) error {
	dataset, err := p.data.open()
	if err != nil {
		return err
	}
	var names []string
	for _, cat := range dataset.Categories().All() {
		if dataset.Has(cat) {
			names = append(names, cat.Name)
		}
	}
	cat, c, err := findCase(dataset, names, id)
	if err != nil {
		return err
	}
	models, named := p.models, len(p.models) > 0
	if !named {
		models = shownModels
	}
	var shown []shownPrompt
	for _, model := range models {
		if name, _, _ := strings.Cut(model, ":"); !named && adapters.Tag(name) != "" {
			fmt.Fprintf(p.err, "bfcl: %s is not in this build: build bfcl with -tags %s to see its request\n", name, adapters.Tag(name))
			continue
		}
		one, err := p.of(cmd, model, cat, c)
		if err != nil {
			return err
		}
		if !p.asJSON {
			p.print(one)
		}
		shown = append(shown, *one)
	}
	if p.asJSON {
		return writeJSON(p.out, shown)
	}
	return nil
}

// of is the request for a model.
func (p *prompting) of(cmd *cobra.Command, model string, cat *eval.Category, c *eval.Case) (*shownPrompt, error) {
	var o option.Options
	o.Register(flag.NewFlagSet("", flag.ContinueOnError)) // the defaults
	o.Model, o.Dataset, o.Data, o.Mode, o.BaseURL = model, p.data.dataset, p.data.data, p.mode, p.baseURL
	o.ChatTemplate, o.Dialect = p.template, p.dialect
	o.Categories, o.IDs = cat.Name, c.ID
	plan, err := suite.PlanPreview(o)
	if err != nil {
		return nil, misuse.Mark(err)
	}
	request, err := plan.Preview(cmd.Context(), cat, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	return &shownPrompt{model, request.Method + " " + request.URL, request.Body}, nil
}

func (p *prompting) print(s *shownPrompt) {
	var b bytes.Buffer
	if json.Indent(&b, s.Body, "", "  ") != nil {
		b.Reset()
		b.Write(s.Body)
	}
	fmt.Fprintf(p.out, "%s\n%s\n", safe.Printable(s.Model, 200), safe.Printable(s.URL, 500))
	for line := range strings.SplitSeq(b.String(), "\n") {
		fmt.Fprintln(p.out, safe.Printable(line, 100_000))
	}
	fmt.Fprintln(p.out)
}
