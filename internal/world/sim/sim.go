// Package sim runs the stateful APIs of the multi-turn categories.
//
// Its place is between a model's call texts and the judge of multi-turn cases:
//
//	sim, object, result      what a simulated API is: classes, methods, instances
//	python                   Python's operators, for methods
//	number, random           Python's numbers and dates
//	env                      one case's instances and upstream's executor
//	memory, websearch        the APIs of the agentic categories
//	classes                  the others, and the one explicit list of all
//
// Nothing of a model's text is evaluated: a call is parsed, its name looked up
// in a table, its arguments bound, and a Go function called. All state hangs
// on one case's World and instances; nothing is global.
package sim

import (
	"context"
	"fmt"
	"time"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pycall"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// A Class is one simulated API.
type Class struct {
	// Name is upstream's class name.
	Name string
	// DocFile is the file of upstream's multi_turn_func_doc that documents the
	// methods for models, such as "math_api.json"; "" for a class that upstream
	// does not have.
	DocFile string
	// Doc is the suite's own such file, a function document a line, for
	// datasets that have none.
	Doc string
	// Stateless classes have no state that upstream would log: its
	// STATELESS_CLASSES and OMIT_STATE_INFO_CLASSES.
	Stateless bool
	// Methods are the public methods, in the order of upstream's tool docs.
	Methods []Method
	// Fields are the scenario's fields that count. Upstream's datasets have
	// others, which change nothing.
	Fields []string
	// New makes an instance from its scenario, upstream's __init__ and
	// _load_scenario. The instance owns the scenario: it is a fresh copy, empty
	// if the case has none. If Reads is set, the scenario is the case's own:
	// New does not change it, and keeps nothing of it that can change.
	New   func(scenario *pyval.Dict, world *World) (Instance, error)
	Reads bool
}

// A Method is one call that a model can make.
type Method struct {
	Name   string
	Params []Param
	// Call gets one argument per parameter, in the order of Params; those the
	// caller left out hold the default. The next call has the same slice, so
	// it must not be kept. A dict with the key "error" is an answer like any
	// other; an error is what upstream raises, or an Outage. On makes one of a
	// function that raises as Python does.
	Call func(self Instance, args []pyval.Value) (pyval.Value, error)
}

// A Param is a method's parameter.
type Param = pycall.Param

// An Instance is one simulated API with its state, in one case, on one side
// (the model's or the reference's). It is used by one goroutine at a time.
type Instance interface {
	// State is the public attributes in upstream's order, for the state
	// check by Python's ==. The dict may share values with the instance: read
	// it before the next call.
	State() *pyval.Dict
}

// A World is what all instances of one case share, on both sides. Upstream
// has three such objects for the life of its process; here they live as long
// as the case.
type World struct {
	// Long is what answers are padded with; nil if they are not.
	Long *eval.LongContext

	shared map[string]pyval.Value
	ctx    context.Context // see Context
}

// NewWorld makes the world of one case; long may be nil.
func NewWorld(long *eval.LongContext) *World { return &World{Long: long} }

// Shared returns the case's one mutable value of a name, made on first use: for
// the objects upstream leaks from one instance into the other, such as the
// default lists of post_tweet.
func (w *World) Shared(name string, make func() pyval.Value) pyval.Value {
	if v, ok := w.shared[name]; ok {
		return v
	}
	if w.shared == nil {
		w.shared = map[string]pyval.Value{}
	}
	v := make()
	w.shared[name] = v
	return v
}

// Leaks reports whether an instance of this world has taken a value that it
// shares with the other side. If one side never does, neither side sees what
// the other did.
func (w *World) Leaks() bool { return len(w.shared) > 0 }

// Context returns the context of calls that reach outside.
func (w *World) Context() context.Context {
	if w == nil || w.ctx == nil {
		return context.Background()
	}
	return w.ctx
}

// Bound gives the world the context of its case.
func (w *World) Bound(ctx context.Context) *World {
	w.ctx = ctx
	return w
}

// Sleep waits until a time has passed or the context ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// A Library is a set of classes, indexed by name. It does not change and may
// be shared by any number of cases.
type Library struct {
	classes []*Class
	byName  map[string]*shelf
}

// A shelf is a class with its methods by name.
type shelf struct {
	*Class
	methods map[string]*Method
}

// NewLibrary indexes classes, whose names must differ.
func NewLibrary(classes ...*Class) *Library {
	l := &Library{classes: classes, byName: make(map[string]*shelf, len(classes))}
	for _, c := range classes {
		s := &shelf{Class: c, methods: make(map[string]*Method, len(c.Methods))}
		for i := range c.Methods {
			s.methods[c.Methods[i].Name] = &c.Methods[i]
		}
		l.byName[c.Name] = s
	}
	return l
}

// Classes returns the classes in the library's order.
func (l *Library) Classes() []*Class { return l.classes }

// Class returns the class of a name.
func (l *Library) Class(name string) (*Class, bool) {
	if s, ok := l.byName[name]; ok {
		return s.Class, true
	}
	return nil, false
}

// A Setup says which instances a case has on one side.
type Setup struct {
	Model    string      // upstream's model name, with its suffixes; part of the instances' names
	Entry    string      // the case's id; part of the instances' names
	Involved []string    // class names, in the case's order
	Config   *pyval.Dict // class name to scenario, the case's initial_config; it is not changed
	World    *World      // shared with the other side; nil makes one
}

// Open makes the instances of one side of a case.
func (l *Library) Open(s Setup) (*Env, error) {
	if s.World == nil {
		s.World = NewWorld(nil)
	}
	e := &Env{left: maxWork}
	for _, name := range s.Involved {
		shelf, ok := l.byName[name]
		if !ok {
			return nil, fmt.Errorf("unknown class %q", name)
		}
		if _, open := e.Instance(name); open {
			continue
		}
		instance, err := shelf.New(shelf.scenario(s.Config), s.World)
		if err != nil {
			return nil, fmt.Errorf("scenario of %s: %s", name, AsException(err).Msg)
		}
		e.held = append(e.held, held{shelf: shelf, name: instanceName(s.Model, s.Entry, name), instance: instance})
	}
	return e, nil
}

// scenario is the class's scenario, a fresh copy of it unless the class only
// reads it; empty if there is none.
func (s *shelf) scenario(config *pyval.Dict) *pyval.Dict {
	if config == nil {
		return &pyval.Dict{}
	}
	v, _ := config.GetStr(s.Name)
	d, ok := v.(*pyval.Dict)
	switch {
	case !ok:
		return &pyval.Dict{}
	case s.Reads:
		return d
	}
	return pyval.DeepCopy(d).(*pyval.Dict)
}
