package exec

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
)

// What Python's client checks between preparing a request and sending it.

func (g *getter) checkProxies(*Request) error {
	proxies := g.arg("proxies")
	if !pyval.Truth(proxies) || proxies.Kind() == pyval.KindDict {
		return nil
	}
	return noAttribute(proxies, "get")
}

func (g *getter) checkAdapter(req *Request) error {
	lower := strings.ToLower(req.URL)
	if strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return nil
	}
	return pyval.Raise("InvalidSchema", "No connection adapters were found for %s", pyval.Repr(pyval.Str(req.URL)))
}

// checkTLS refuses files of certificates: this program has none to offer.
func (g *getter) checkTLS(req *Request) error {
	if !strings.HasPrefix(strings.ToLower(req.URL), "https") {
		return nil
	}
	if verify, ok := g.args["verify"]; ok && pyval.Truth(verify) {
		switch verify.Kind() {
		case pyval.KindBool, pyval.KindInt:
		case pyval.KindStr, pyval.KindBytes:
			return pyval.Raise("OSError", "Could not find a suitable TLS CA certificate bundle, invalid path: %s", pyval.Text(verify))
		default:
			return typeError("stat: path should be string, bytes, os.PathLike or integer, not %s", pyval.TypeName(verify))
		}
	}
	return g.checkCertificate()
}

func (g *getter) checkCertificate() error {
	cert := g.arg("cert")
	if !pyval.Truth(cert) {
		return nil
	}
	file := cert
	if cert.Kind() != pyval.KindStr && cert.Kind() != pyval.KindBytes {
		var err error
		if file, err = pyval.Subscript(cert, zero); err != nil {
			return err
		}
		if _, err := pyval.Subscript(cert, one); err != nil {
			return err
		}
	}
	if !pyval.Truth(file) {
		return nil
	}
	return pyval.Raise("OSError", "Could not find the TLS certificate file, invalid path: %s", pyval.Text(file))
}

// checkTimeout is urllib3's, for a single timeout or a pair of them.
func (g *getter) checkTimeout(*Request) error {
	timeout := g.arg("timeout")
	parts := []pyval.Value{timeout, timeout}
	if pair, ok := timeout.(*pyval.Tuple); ok {
		if len(pair.Items) != 2 {
			return pyval.Raise("ValueError", "Invalid timeout %s. Pass a (connect, read) timeout tuple, or a single float to set both timeouts to the same value.", pyval.Repr(timeout))
		}
		parts = pair.Items
	}
	if err := checkTimeoutPart("connect", parts[0]); err != nil {
		return err
	}
	return checkTimeoutPart("read", parts[1])
}

func checkTimeoutPart(name string, v pyval.Value) error {
	switch v.Kind() {
	case pyval.KindNone:
		return nil
	case pyval.KindBool:
		return pyval.Raise("ValueError", "Timeout cannot be a boolean value. It must be an int, float or None.")
	case pyval.KindInt, pyval.KindFloat:
	default:
		return pyval.Raise("ValueError", "Timeout value %s was %s, but it must be an int, float or None.", name, pyval.Text(v))
	}
	if low, _ := pyval.Order("<=", v, zero); low {
		return pyval.Raise("ValueError", "Attempted to set %s timeout to %s, but the timeout cannot be set to a value less than or equal to 0.", name, pyval.Text(v))
	}
	return nil
}
