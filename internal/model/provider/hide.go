package provider

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
)

// hidden replaces a secret.
const hidden = "[hidden]"

// minSecret is the least length of a secret: placeholders such as "EMPTY" and
// "none", which local servers take as keys, are words that may well occur in an
// answer.
const minSecret = 12

// secretName matches the names of headers and query parameters whose values are
// secrets. Other values, such as a title, may well occur in an answer.
var secretName = pattern.Of(`(?i)auth|key|token|secret|cookie|passw|credential|^sig`)

// A hider removes secrets from texts that a server wrote.
type hider []string

func newHider(c *Config, u *url.URL) hider {
	secrets := []string{c.Key}
	for name, values := range c.Headers {
		if !secretName().MatchString(name) {
			continue
		}
		for _, v := range values {
			secrets = append(secrets, v, v[strings.LastIndexByte(v, ' ')+1:]) // without a scheme such as "Bearer"
		}
	}
	for name, values := range u.Query() {
		if secretName().MatchString(name) {
			secrets = append(secrets, values...)
		}
	}
	if password, ok := u.User.Password(); ok {
		secrets = append(secrets, password)
	}
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
		if secretName().MatchString(name) {
			query.Set(name, "xxxxx")
			shown.RawQuery = query.Encode()
		}
	}
	return shown.Redacted()
}
