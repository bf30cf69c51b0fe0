package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gobfcl/bfcl/adapters/agent"
	"github.com/gobfcl/bfcl/fixtures"
	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/kit/misuse"
	"github.com/gobfcl/bfcl/internal/kit/near"
	"github.com/gobfcl/bfcl/internal/kit/safe"
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/classes"
)

// A playing is one `bfcl play`.
type playing struct {
	*app
	data            dataFlags
	commands        []string
	scenario, id    string
	methods, long   bool
	state, asJSON   bool
	dataset         *fixtures.Dataset
	env             *sim.Env
	interactive     bool
	failed, stopped bool
	lock            sync.Locker  // nil unless others make calls too; see serve
	tell            func(played) // called after each call, unless nil
	attach          bool
}

func (a *app) playCommand() *cobra.Command {
	p := &playing{app: a}
	cmd := &cobra.Command{
		Use:   "play [CLASS...]",
		Short: "Call the simulated APIs of the multi-turn categories by hand",
		Long: `Call the simulated APIs of the multi-turn categories, to see what a tool does.
Without arguments the classes are listed; with --methods, a class's methods.

Calls are written as models write them, one a line: cd(folder='x'), or several
in brackets: [cd(folder='x'), ls()]. They come from -c, or else from standard
input; on a terminal there is a prompt. Lines that begin with # are skipped, and
:state, :methods, :help and :quit are commands. Each call is followed by its
result and by what it changed. Nothing real is touched: the files, the money and
the cars are simulated.

The initial state is empty, unless --case or --scenario sets it.

--attach shows the state and the calls of a running ` + "`bfcl serve`" + `, each call with
its result and what it changed. The environment says which: ` + agent.URLVariable + ` is
the address and ` + agent.TokenVariable + ` the token, as serve prints them.

Exit codes: 0 no call got an error, or the calls were typed at the prompt, or
the attached serve ended; 1 a call got an error; 2 there is nothing to attach
to; 3 wrong usage; 130 interrupted.`,
		Example: `  bfcl play
  bfcl play TradingBot --methods
  bfcl play GorillaFileSystem
  bfcl play MathAPI -c "mean(numbers=[1, 2, 6])"
  bfcl play --case multi_turn_base_0 --state < calls.txt
  bfcl play TicketAPI --scenario desk.json --json -c "get_ticket(ticket_id=1)"
  BFCL_MCP_URL=… BFCL_MCP_TOKEN=… bfcl play --attach`,
		RunE: func(_ *cobra.Command, args []string) error { return p.run(args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&p.commands, "call", "c", nil, "a `call` to make; may be repeated")
	flags.StringVar(&p.id, "case", "", "begin with the APIs and the state of the case with this `id`")
	flags.StringVar(&p.scenario, "scenario", "", "begin with the state in this JSON `file`: {\"CLASS\": {…}}, or just {…} if one CLASS is given")
	flags.BoolVar(&p.long, "long-context", false, "pad the state as in the long-context cases, with the dataset's data")
	flags.BoolVar(&p.methods, "methods", false, "list the methods and their parameters")
	flags.BoolVar(&p.state, "state", false, "print the state at the end")
	flags.BoolVar(&p.asJSON, "json", false, "print JSON: an object on a line for each call")
	flags.BoolVar(&p.attach, "attach", false, "show the state and the calls of a running bfcl serve")
	p.data.register(cmd)
	for _, other := range []string{"call", "case", "scenario", "long-context", "methods", "state"} {
		cmd.MarkFlagsMutuallyExclusive("attach", other)
	}
	return cmd
}

func (p *playing) run(names []string) (err error) {
	if p.attach {
		return p.follow(names)
	}
	if p.dataset, err = p.data.open(); err != nil {
		return err
	}
	for _, name := range names {
		if _, ok := classes.Library.Class(name); !ok {
			return unknownClass(name)
		}
	}
	switch {
	case p.id != "" && p.scenario != "":
		return misuse.Errorf("--case and --scenario both set the initial state: use one of them")
	case p.methods || len(names) == 0 && p.id == "" && p.scenario == "":
		return p.list(names)
	}
	setup, err := p.setup(names)
	if err != nil {
		return err
	}
	if p.env, err = classes.Library.Open(setup); err != nil {
		return err
	}
	return p.play()
}

func unknownClass(name string) error {
	var all []string
	for _, class := range classes.Library.Classes() {
		all = append(all, class.Name)
	}
	return misuse.Errorf("unknown class %q%s", name, near.Hint(name, all))
}

// setup is the initial state: of a case, from a file, or empty.
func (p *playing) setup(names []string) (sim.Setup, error) {
	s := sim.Setup{Model: "you", Entry: "play_0", Involved: names}
	switch {
	case p.id != "":
		c, err := p.playedCase()
		if err != nil {
			return s, err
		}
		s.Entry, s.Config = c.ID, c.Scene.Config
		p.long = p.long || c.Scene.Long != nil
		if len(names) == 0 {
			s.Involved = c.Scene.Classes
		}
	case p.scenario != "":
		var err error
		if s.Config, err = p.readScenario(names); err != nil {
			return s, err
		}
		if len(names) == 0 {
			for class := range s.Config.All() {
				s.Involved = append(s.Involved, pyval.Text(class))
			}
		}
	}
	if !p.long {
		return s, nil
	}
	long, err := p.dataset.LongContext()
	s.World = sim.NewWorld(long)
	return s, err
}

func (p *playing) playedCase() (*eval.Case, error) {
	var names []string
	for _, cat := range p.dataset.Categories().All() {
		if cat.MultiTurn() && p.dataset.Has(cat) {
			names = append(names, cat.Name)
		}
	}
	if len(names) == 0 {
		return nil, misuse.Errorf("dataset %q has no multi-turn cases", p.dataset.Name)
	}
	_, c, err := findCase(p.dataset, names, p.id)
	if err == nil && c.Scene == nil {
		err = misuse.Errorf("case %q has no simulated APIs", p.id)
	}
	return c, err
}

const longestScenario = 64 << 20

// readScenario reads {class: scenario}, or the scenario of the one class that is
// given.
func (p *playing) readScenario(names []string) (*pyval.Dict, error) {
	file, err := os.Open(p.scenario)
	if err != nil {
		return nil, misuse.Errorf("--scenario: %w", err)
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, longestScenario+1))
	switch {
	case err != nil:
		return nil, misuse.Errorf("--scenario: %w", err)
	case len(data) > longestScenario:
		return nil, misuse.Errorf("--scenario: %s is longer than %d MB", p.scenario, longestScenario>>20)
	}
	v, err := pyval.ParseJSON(string(data))
	if err != nil {
		return nil, misuse.Errorf("--scenario: %s: %w", p.scenario, err)
	}
	config, ok := v.(*pyval.Dict)
	if !ok {
		return nil, misuse.Errorf("--scenario: %s: expected a JSON object, got %s", p.scenario, pyval.ATypeName(v))
	}
	if len(names) == 1 && !namesClass(config) {
		whole := pyval.NewDict(1)
		whole.SetStr(names[0], config)
		config = whole
	}
	return config, p.checkScenario(config)
}

func namesClass(config *pyval.Dict) bool {
	for key := range config.All() {
		if _, ok := classes.Library.Class(pyval.Text(key)); ok {
			return true
		}
	}
	return false
}

// checkScenario refuses unknown classes. It only warns of unknown fields, since
// upstream's own scenarios have some.
func (p *playing) checkScenario(config *pyval.Dict) error {
	for key, v := range config.All() {
		class, ok := classes.Library.Class(pyval.Text(key))
		if !ok {
			return fmt.Errorf("--scenario: %s: %w", p.scenario, unknownClass(pyval.Text(key)))
		}
		scenario, ok := v.(*pyval.Dict)
		if !ok {
			return misuse.Errorf("--scenario: %s: the state of %s is %s, not an object", p.scenario, class.Name, pyval.ATypeName(v))
		}
		for field := range scenario.All() {
			if name := pyval.Text(field); !slices.Contains(class.Fields, name) {
				fmt.Fprintln(p.err, "bfcl: "+safe.Printable(fmt.Sprintf("%s has no field %q: it is ignored%s", class.Name, name, near.Hint(name, class.Fields)), 500))
			}
		}
	}
	return nil
}

// isTerminal reports whether input comes from a terminal.
func isTerminal(in io.Reader) bool {
	file, ok := in.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
