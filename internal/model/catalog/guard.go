package catalog

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/eval"
	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/plainfile"
	"github.com/gobfcl/bfcl/internal/pose/tool"
	"github.com/gobfcl/bfcl/internal/say"
)

var (
	variableName = pattern.Of(`^[A-Za-z_][A-Za-z0-9_]*$`)
	reference    = pattern.Of(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)
	headerName   = pattern.Of("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	keyPrefix    = pattern.Of(`(?i)\b(?:sk|pk|gsk|xai|hf|fw|tgp|csk|nvapi)[-_][\w-]{8,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{12,}|\b(?:bearer|basic)\s+[\w.~+/=-]{6,}`)
	credential   = pattern.Of(`(?i)^(?:proxy-)?authorization$|cookie|api-?_?key|^key$|-key$|token|secret|password|credential`)
	scheme       = pattern.Of(`^[A-Za-z]+ +$`)
)

// looksLikeKey reports whether a text has the form of a provider's key.
func looksLikeKey(s string) bool { return keyPrefix().MatchString(s) }

// guardHeader returns an error for a header that would put a key into a file.
func guardHeader(name, value string) error {
	rest := reference().ReplaceAllString(value, "")
	switch {
	case !headerName().MatchString(name):
		return fmt.Errorf("%s is not the name of a header", plainfile.Printable(name))
	case strings.ContainsFunc(value, isControl):
		return fmt.Errorf("header %s: its value holds a control character", name)
	case strings.Contains(rest, "${"):
		return fmt.Errorf("header %s: write a variable as ${NAME}", name)
	case credential().MatchString(name) && strings.TrimSpace(rest) != "" && !scheme().MatchString(rest), looksLikeKey(rest):
		return fmt.Errorf("header %s: a literal key would end up in version control: write ${NAME} and set that variable", name)
	}
	return nil
}

// guardURL returns an error for a text that is not an address, or an address
// that holds a password or a key.
func guardURL(base string) error {
	sample := reference().ReplaceAllString(base, "x")
	if sample == "x" || base == "" {
		return nil
	}
	u, err := url.Parse(sample)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("want an address such as http://localhost:8000/v1")
	case strings.Contains(sample, "${"):
		return fmt.Errorf("write a variable as ${NAME}")
	case u.User != nil:
		return fmt.Errorf("an address cannot hold a user and password: use a header with ${NAME}")
	case looksLikeKey(u.RawQuery) || credential().MatchString(u.RawQuery):
		return fmt.Errorf("an address cannot hold a key: use a header with ${NAME}")
	}
	return nil
}

func guardMode(mode string) error {
	switch eval.Mode(mode) {
	case "", eval.FC, eval.Prompt:
		return nil
	}
	return errors.New("want fc or prompt")
}

// guardStyle knows upstream's names for the forms of tool schemas.
func guardStyle(name string) error {
	if name == "" || slices.Contains(tool.Styles(), tool.Style(name)) {
		return nil
	}
	var names []string
	for _, style := range tool.Styles() {
		names = append(names, string(style))
	}
	return fmt.Errorf("unknown style %s%s; the styles are %v", plainfile.Printable(name), say.Propose(say.Nearest(name, names)), names)
}

func guardVariable(name string) error {
	if name != "" && (!variableName().MatchString(name) || looksLikeKey(name)) {
		return errors.New("want the name of an environment variable such as OPENAI_API_KEY, never the key itself")
	}
	return nil
}
