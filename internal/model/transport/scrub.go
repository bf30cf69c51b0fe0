package transport

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/pattern"
	"github.com/gobfcl/bfcl/internal/say"
)

// masked replaces a key.
const masked = "[removed]"

// messageCap is the longest message of an Error, in bytes before escaping.
const messageCap = 500

// shortestSecret is the least length of a secret, so that placeholders such as
// "EMPTY", which are given as keys to local servers, do not mask ordinary
// words.
const shortestSecret = 6

// secretPatterns match what looks like a key although it was not declared as
// one.
var secretPatterns = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b((?:bearer|basic)\s+)[\w.~+/=*-]{6,}`),
	regexp.MustCompile(`(?i)([?&](?:key|api[_-]?key|access_token|token|signature|x-amz-[a-z-]+)=)[^&\s"'\\]+`),
	regexp.MustCompile(`\b()(?:sk|pk|gsk|xai|hf|csk|r8|fw|tgp|nvapi)[-_][\w*-]{8,}`),
	regexp.MustCompile(`\b()AIza[\w-]{20,}`),
	regexp.MustCompile(`(://)[^/\s@"]*:[^/\s@"]*@`),
}

func maskPatterns(text string) string {
	for _, p := range secretPatterns {
		text = p.ReplaceAllString(text, "${1}"+masked)
	}
	return text
}

// scrubbed masks the given secrets in every form in which they may come back,
// and then whatever else looks like a key.
func scrubbed(text string, secrets []string) string {
	for _, s := range spellings(secrets) {
		text = strings.ReplaceAll(text, s, masked)
	}
	return maskPatterns(text)
}

// spellings returns the forms of the secrets, longest first, so that one that
// contains another is masked as a whole.
func spellings(secrets []string) []string {
	var all []string
	for _, s := range secrets {
		s = strings.TrimSpace(s)
		if len(s) < shortestSecret {
			continue
		}
		quoted := strconv.Quote(s)
		all = append(all, s, url.QueryEscape(s), url.PathEscape(s), quoted[1:len(quoted)-1],
			base64.StdEncoding.EncodeToString([]byte(s)))
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	return slices.Compact(all)
}

// Secrets returns the keys in headers and an address, whatever was declared.
func Secrets(headers http.Header, at *url.URL) (all []string) {
	for name, values := range headers {
		if SecretName(name) {
			for _, v := range values {
				all = append(all, v, v[strings.LastIndexByte(v, ' ')+1:]) // without a scheme such as "Bearer"
			}
		}
	}
	for name, values := range at.Query() {
		if SecretName(name) {
			all = append(all, values...)
		}
	}
	if password, ok := at.User.Password(); ok {
		all = append(all, password)
	}
	return all
}

var secretName = pattern.Of(`(?i)auth|key|token|secret|cookie|passw|credential|^sig|signature`)

// SecretName reports whether a header or query parameter of that name holds a
// key. Other values, such as a title, may well occur in an answer.
func SecretName(name string) bool { return secretName().MatchString(name) }

// oneLine caps a text and escapes it as in a Go string: a server's message
// must not be able to write lines of its own into a test log.
func oneLine(text string) string { return say.Plain(strings.TrimSpace(text), messageCap) }
