package ownsuite

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// An inliner makes JSON Schema without references of a tool's schema: they are
// written out, keywords of OpenAPI are replaced by those of JSON Schema, and what
// only documentation needs is left out. What a reference was written out to is
// kept and must not be changed.
type inliner struct {
	root   pyval.Value // what references point into
	seen   map[string]unfolded
	stack  []string // references being written out
	nodes  int
	parts  *int   // of all tools together
	circle string // the reference to itself that was cut off
}

// maxNodes is how many schemas the references of one tool may unfold to,
// maxParts of all tools: a page of references can unfold to gigabytes.
const (
	maxNodes = 20_000
	maxParts = 500_000
)

// An unfolded is what a reference was written out to, and its size.
type unfolded struct {
	schema *pyval.Dict
	nodes  int
}

func newInliner(root pyval.Value, parts *int) *inliner {
	return &inliner{root: root, parts: parts, seen: map[string]unfolded{}}
}

var (
	errLarge = fmt.Errorf("its schema unfolds to more than %d parts", maxNodes)
	errTotal = fmt.Errorf("the schemas of all tools unfold to more than %d parts: choose operations", maxParts)
)

// count counts parts of a schema.
func (in *inliner) count(n int) error {
	in.nodes += n
	*in.parts += n
	switch {
	case in.nodes > maxNodes:
		*in.parts -= in.nodes // nothing of it is kept
		return errLarge
	case *in.parts > maxParts:
		return errTotal
	}
	return nil
}

func (in *inliner) inlined(v pyval.Value, depth int) (*pyval.Dict, error) {
	schema, ok := v.(*pyval.Dict)
	switch {
	case depth > maxDepth:
		return nil, errDepth
	case !ok && v != nil && v.Kind() != pyval.KindBool:
		return nil, errors.New("a schema is not an object")
	case !ok:
		return pyval.NewDict(0), in.count(1)
	}
	if err := in.count(1); err != nil {
		return nil, err
	}
	if ref, ok := schema.GetStr("$ref"); ok && ref.Kind() == pyval.KindStr {
		return in.reference(schema, pyval.Text(ref), depth)
	}
	out := pyval.NewDict(schema.Len())
	for key, inner := range schema.All() {
		name := pyval.Text(key)
		if slices.Contains(notSchema, name) || strings.HasPrefix(name, "x-") {
			continue
		}
		one, err := in.keyword(name, inner, depth)
		if err != nil {
			return nil, err
		}
		_ = out.Set(key, one) // a key of a dict is hashable
	}
	modern(out)
	in.discriminate(schema, out)
	return out, nil
}

// notSchema are OpenAPI's keywords that are not JSON Schema's.
var notSchema = []string{"discriminator", "xml", "externalDocs", "example"}

// keyword returns the value of a keyword, with the schemas in it written out.
func (in *inliner) keyword(name string, v pyval.Value, depth int) (pyval.Value, error) {
	switch v := v.(type) {
	case *pyval.List:
		if !slices.Contains(listSchema, name) {
			return v, nil
		}
		out := &pyval.List{}
		for _, item := range v.Items {
			one, err := in.inlined(item, depth+1)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, one)
		}
		return out, nil
	case *pyval.Dict:
		if slices.Contains(oneSchema, name) {
			return in.inlined(v, depth+1)
		}
		if !slices.Contains(mapSchema, name) {
			return v, nil
		}
		out := pyval.NewDict(v.Len())
		for key, inner := range v.All() {
			one, err := in.inlined(inner, depth+1)
			if err != nil {
				return nil, err
			}
			_ = out.Set(key, one)
		}
		return out, nil
	}
	return v, nil
}

// reference writes a reference out; where it refers to itself, only the type is
// left.
func (in *inliner) reference(schema *pyval.Dict, ref string, depth int) (*pyval.Dict, error) {
	target, err := in.lookup(ref)
	if err != nil {
		return nil, err
	}
	if slices.Contains(in.stack, ref) {
		in.circle = ref[strings.LastIndex(ref, "/")+1:]
		return cut(target), nil
	}
	known, ok := in.seen[ref]
	if ok {
		err = in.count(known.nodes)
	} else {
		nodes, circle := in.nodes, in.circle
		in.circle = ""
		in.stack = append(in.stack, ref)
		known.schema, err = in.inlined(target, depth+1)
		in.stack = in.stack[:len(in.stack)-1]
		known.nodes = in.nodes - nodes
		if in.circle == "" && err == nil {
			in.seen[ref] = known // what is cut off depends on where it stands
		}
		if in.circle == "" {
			in.circle = circle
		}
	}
	if err == nil && schema.Len() > 1 {
		known.schema = known.schema.Clone()
		overlay(known.schema, schema)
	}
	return known.schema, err
}

// cut returns only the type and the description of a schema.
func cut(v pyval.Value) *pyval.Dict {
	out := pyval.NewDict(2)
	if schema, ok := v.(*pyval.Dict); ok {
		for _, key := range []string{"type", "description"} {
			if v, ok := schema.GetStr(key); ok && v.Kind() == pyval.KindStr {
				out.SetStr(key, v)
			}
		}
	}
	return out
}

// discriminate writes into each alternative of a schema with a discriminator
// which values of its property choose it, unless the alternative says it itself.
func (in *inliner) discriminate(schema, out *pyval.Dict) {
	property, _ := schema.Child("discriminator").Text("propertyName")
	mapping := schema.Child("discriminator").Child("mapping")
	for _, key := range []string{"oneOf", "anyOf"} {
		alternatives := out.List(key)
		for i, part := range schema.List(key) {
			given, _ := part.(*pyval.Dict)
			ref, ok := given.Text("$ref")
			alternative, _ := alternatives[i].(*pyval.Dict)
			field := alternative.Child("properties").Child(property)
			if !ok || field == nil || field.Has("enum") || field.Has("const") {
				continue
			}
			fields := alternative.Child("properties").Clone()
			alternative, field = alternative.Clone(), field.Clone()
			field.SetStr("enum", chosen(mapping, ref))
			fields.SetStr(property, field)
			alternative.SetStr("properties", fields)
			alternatives[i] = alternative
		}
	}
}

// chosen returns the values that a mapping gives to a reference; without any,
// its last word.
func chosen(mapping *pyval.Dict, ref string) *pyval.List {
	last := ref[strings.LastIndex(ref, "/")+1:]
	out := &pyval.List{}
	if mapping != nil {
		for name, to := range mapping.All() {
			if to := pyval.Text(to); to == ref || to == last {
				out.Items = append(out.Items, name)
			}
		}
	}
	if len(out.Items) == 0 {
		out.Items = append(out.Items, pyval.Str(last))
	}
	return out
}

// resolve returns an object or what its reference points to.
func (in *inliner) resolve(v pyval.Value) (*pyval.Dict, error) {
	for range maxDepth {
		d, ok := v.(*pyval.Dict)
		if !ok {
			return nil, errors.New("expected an object")
		}
		ref, ok := d.GetStr("$ref")
		if !ok {
			return d, nil
		}
		var err error
		if v, err = in.lookup(pyval.Text(ref)); err != nil {
			return nil, err
		}
	}
	return nil, errors.New("references refer to each other endlessly")
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}", "%20", " ")

// lookup follows a JSON pointer into the document.
func (in *inliner) lookup(ref string) (pyval.Value, error) {
	path, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil, fmt.Errorf("the reference %s leaves the file: copy what it points to into the file", quote(ref))
	}
	at := in.root
	for _, word := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if word == "" {
			continue
		}
		word = unescape.Replace(word)
		var next pyval.Value
		switch v := at.(type) {
		case *pyval.Dict:
			next, _ = v.GetStr(word)
		case *pyval.List:
			if i, err := strconv.Atoi(word); err == nil && i >= 0 && i < len(v.Items) {
				next = v.Items[i]
			}
		}
		if next == nil {
			return nil, fmt.Errorf("the reference %s points to nothing", quote(ref))
		}
		at = next
	}
	return at, nil
}
