package validate

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// grammar warns of parameters of which no accepted value fits the schema. A
// server that constrains calls by it lets no model write one.
func (c *checker) grammar(cat *eval.Category, of *eval.Case) {
	if cat.Language != eval.Python || !cat.Compares() {
		return
	}
	for i, item := range of.Answer.Items {
		function, v := item.(*pyval.Dict).At(0) // answer has checked it
		parameters := of.Tool(pyval.Text(function)).Child("parameters")
		for key, accepted := range v.(*pyval.Dict).All() {
			field := parameters.Child("properties").Child(pyval.Text(key))
			values, _ := accepted.(*pyval.List)
			required := slices.Contains(parameters.List("required"), key)
			if field == nil || values == nil || !required && slices.Contains(values.Items, pyval.Value(optional)) {
				continue
			}
			s, err := compiled(field)
			if err != nil || slices.ContainsFunc(values.Items, func(v pyval.Value) bool { return s.fits(written(v, field)) }) {
				continue
			}
			c.sayAt(c.line(of, i, pyval.Text(key)), Warning, Answer, of,
				"%s.%s: no accepted value fits the schema, so a server that constrains calls by it lets no model pass: %s", pyval.Text(function), quote(pyval.Text(key)), s.check(written(values.Items[0], field))[0].text)
		}
	}
}

// fits reports whether a value fits; another spelling of an enum's value does, as
// the judge takes that, too.
func (s *schema) fits(v any) bool {
	return !slices.ContainsFunc(s.check(v), func(f finding) bool { return f.severity == Error })
}

// written returns an accepted value as a model would write it. Fields of objects
// have lists of accepted values: of each, the first that fits.
func written(v pyval.Value, of *pyval.Dict) any {
	switch v := v.(type) {
	case *pyval.List:
		out := make([]any, len(v.Items))
		for i, item := range v.Items {
			out[i] = written(item, of.Child("items"))
		}
		return out
	case *pyval.Dict:
		out := map[string]any{}
		for key, accepted := range v.All() {
			name, field := pyval.Text(key), of.Child("properties").Child(pyval.Text(key))
			values, ok := accepted.(*pyval.List)
			if !ok || len(values.Items) == 0 {
				out[name] = plain(accepted)
				continue
			}
			if s, err := compiled(field); field != nil && err == nil {
				if i := slices.IndexFunc(values.Items, func(one pyval.Value) bool { return one != pyval.Value(optional) && s.fits(written(one, field)) }); i >= 0 {
					out[name] = written(values.Items[i], field)
					continue
				}
			}
			if !slices.Contains(values.Items, pyval.Value(optional)) {
				out[name] = written(values.Items[0], field)
			}
		}
		return out
	}
	return plain(v)
}
