package sim

import (
	"fmt"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

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
