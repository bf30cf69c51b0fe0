package dialect

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/read/decode"
)

// listedCalls reads a text that is JSON: an object or a list of objects.
func listedCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	v, err := decode.LoadJSON(s)
	if err != nil {
		return nil, err
	}
	return namedCalls(objectsOf(v), "arguments", anything)
}

// xlamListed is listedCalls for one text, or for several separated by ";".
func xlamListed(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	v, err := decode.LoadJSON(s)
	if err == nil {
		return namedCalls(objectsOf(v), "arguments", anything)
	}
	var objects []pyval.Value
	for part := range strings.SplitSeq(s, ";") {
		v, err := decode.LoadJSON(part)
		if err != nil {
			return nil, err
		}
		objects = append(objects, v)
	}
	return namedCalls(objects, "arguments", anything)
}

// nameAndArguments reads a list of objects with name and arguments, which is
// not a text any more.
func nameAndArguments(result pyval.Value) (pyval.Value, error) {
	items, err := decode.Iterate(result)
	if err != nil {
		return nil, err
	}
	return namedCalls(items, "arguments", anything)
}

// lenientTexts writes the objects of a list, with empty name and arguments if
// they are missing; items that are not objects are skipped.
func lenientTexts(items []pyval.Value) ([]string, error) {
	out := []string{}
	for _, item := range items {
		d, ok := item.(*pyval.Dict)
		if !ok {
			continue
		}
		s, err := spacedText(get(d, "name", pyval.Str("")), get(d, "arguments", pyval.NewDict(0)))
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// spacedText writes name(key=value, key=value).
func spacedText(name, args pyval.Value) (string, error) {
	d, ok := args.(*pyval.Dict)
	if !ok {
		return "", decode.NoAttribute(args, "items")
	}
	parts := make([]string, 0, d.Len())
	for key, v := range d.All() {
		parts = append(parts, pyval.Text(key)+"="+pyval.Repr(v))
	}
	return pyval.Text(name) + "(" + strings.Join(parts, ", ") + ")", nil
}

func lenientExecute(result pyval.Value, _ Grammar) ([]string, error) {
	items, err := decode.Iterate(result)
	if err != nil {
		return nil, err
	}
	return lenientTexts(items)
}

// hammerItems returns the items of a text that is JSON, perhaps in a fence;
// nothing if it is not JSON.
func hammerItems(result pyval.Value) ([]pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	v, err := decode.LoadJSON(strings.ReplaceAll(s, "```", ""))
	if err != nil {
		return nil, nil
	}
	return decode.Iterate(v)
}

func hammerDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	items, err := hammerItems(result)
	if err != nil {
		return nil, err
	}
	return namedCalls(items, "arguments", anything)
}

func hammerExecute(result pyval.Value, _ Grammar) ([]string, error) {
	items, err := hammerItems(result)
	if err != nil {
		return nil, nil
	}
	return lenientTexts(items)
}

// thinkAgentCalls reads the text after the reasoning as JSON, with ' taken for
// ". Without reasoning there are no calls.
func thinkAgentCalls(result pyval.Value) (pyval.Value, error) {
	s, err := str(result)
	if err != nil {
		return nil, err
	}
	parts := strings.SplitN(s, thinkEnd, 3)
	if len(parts) < 2 {
		return &pyval.List{}, nil
	}
	v, err := decode.LoadJSON(strings.ReplaceAll(parts[1], "'", `"`))
	if err != nil {
		return nil, err
	}
	items, err := decode.Iterate(v)
	if err != nil {
		return nil, err
	}
	return namedCalls(items, "arguments", anything)
}

// thinkAgentExecute fails for every call, as upstream's does, because it takes
// the text of a call for a call.
func thinkAgentExecute(result pyval.Value, _ Grammar) ([]string, error) {
	found, err := thinkAgentCalls(result)
	if err != nil {
		return nil, err
	}
	if list, ok := found.(*pyval.List); ok && len(list.Items) > 0 {
		return nil, decode.NoAttribute(pyval.Str(""), "items")
	}
	return []string{}, nil
}

// cohereCalls reads objects with tool_name and parameters; a text has no calls.
func cohereCalls(result pyval.Value) (pyval.Value, error) {
	list, ok := result.(*pyval.List)
	if !ok {
		return &pyval.List{}, nil
	}
	out := pyval.MakeList(len(list.Items))
	for i, v := range list.Items {
		name, err := member(v, "tool_name")
		if err != nil {
			return nil, err
		}
		args, err := member(v, "parameters")
		if err != nil {
			return nil, err
		}
		if out.Items[i], err = call(name, args); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// asList treats an answer that is not a list as a list of one item, whatever it
// is.
func asList(result pyval.Value, _ Grammar) (pyval.Value, error) {
	if result.Kind() != pyval.KindList {
		result = pyval.NewList(result)
	}
	return result, nil
}

// novaDecode keeps a list as it is and refuses everything else.
func novaDecode(result pyval.Value, _ Grammar) (pyval.Value, error) {
	if result.Kind() != pyval.KindList {
		return nil, errNotCalls
	}
	return result, nil
}

func novaExecute(result pyval.Value, _ Grammar) ([]string, error) {
	if result.Kind() != pyval.KindList {
		return nil, errNotCalls
	}
	return decode.FCExecute(result)
}
