package provider

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/model/transport"
)

// hidden replaces a secret.
const hidden = "[hidden]"

// minSecret is the least length of a secret: placeholders such as "EMPTY" and
// "none", which local servers take as keys, are words that may well occur in an
// answer.
const minSecret = 12

// A hider removes secrets from texts that a server wrote.
type hider []string

func newHider(c *Config, u *url.URL) hider {
	secrets := append(transport.Secrets(c.Headers, u), c.Key)
	h := hider(slices.DeleteFunc(secrets, func(s string) bool { return len(s) < minSecret }))
	slices.SortFunc(h, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	return h
}

// hiding returns a function that hides the secrets of a configuration,
// including those that are added later.
func hiding(c *Config, u *url.URL) func(text string) string {
	known, more := newHider(c, u), c.Secrets
	if more == nil {
		return known.hide
	}
	return func(text string) string {
		added := slices.DeleteFunc(slices.Clone(more()), func(s string) bool { return len(s) < minSecret })
		return known.hide(hider(added).hide(text))
	}
}

func (h hider) hide(text string) string {
	for _, secret := range h {
		text = strings.ReplaceAll(text, secret, hidden)
	}
	return text
}

// redacted returns an address without its password and the parameters that hold
// keys.
func redacted(u *url.URL) string {
	shown := *u
	query := u.Query()
	for name := range query {
		if transport.SecretName(name) {
			query.Set(name, "xxxxx")
			shown.RawQuery = query.Encode()
		}
	}
	return shown.Redacted()
}
