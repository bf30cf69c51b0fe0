package record

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/say"
)

// ServedNote says, for the user, that several models answered a run, or another
// model than the one asked for, going by the names that the server gave; "" if
// neither did. A version of the model that was asked for is not another model.
func (r *Run) ServedNote() string {
	names, asked := r.Served, r.Parameters["id"]
	if len(names) == 0 {
		return ""
	}
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = say.Plain(name, 100)
	}
	list := strings.Join(shown, ", ")
	askedFor := ""
	if asked != "" { // run.json may not say
		askedFor = fmt.Sprintf("; %s was asked for", say.Plain(asked, 100))
	}
	switch {
	case !alike(names):
		return fmt.Sprintf("The server answered as several models: %s%s. The answers may not be those of one model.", list, askedFor)
	case asked != "" && !slices.ContainsFunc(names, func(name string) bool { return sameModel(asked, name) }):
		return fmt.Sprintf("The server answered as %s%s.", list, askedFor)
	}
	return ""
}

// alike reports whether all names can be names of one model.
func alike(names []string) bool {
	for i, a := range names {
		for _, b := range names[:i] {
			if !sameModel(a, b) {
				return false
			}
		}
	}
	return true
}

// version matches what follows a model's name in the name of one of its
// versions: a date, a number as long as a date, or the word for the newest.
var version = regexp.MustCompile(`^[-:](latest|(preview-)?([0-9]{3,8}|[0-9]{2}-[0-9]{2,4}|[0-9]{4}-[0-9]{2}-[0-9]{2})(-preview)?)$`)

// sameModel reports whether two names are names of one model, or one names a
// version of the other. Routers put the maker before the name.
func sameModel(a, b string) bool {
	a, b = bare(a), bare(b)
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, ok := strings.CutPrefix(b, a)
	return ok && (rest == "" || version.MatchString(rest))
}

// bare returns a model's name without its maker and the word for the newest
// version. Some put an @ before a version where others put a hyphen.
func bare(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name[strings.LastIndex(name, "/")+1:]), "@", "-")
	for _, newest := range []string{"-latest", ":latest"} {
		name = strings.TrimSuffix(name, newest)
	}
	return name
}
