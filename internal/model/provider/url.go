package provider

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

const openAI = "https://api.openai.com/v1"

// azureHosts are the suffixes of the host names of Azure's OpenAI services.
var azureHosts = []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com", ".openai.azure.us"}

// parseBase reads a base URL. The error does not repeat it: it may hold a
// password.
func parseBase(base string) (*url.URL, error) {
	if base = strings.TrimSpace(base); base == "" {
		base = openAI
	}
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return nil, errors.New("the base URL is not an address: write it as in http://localhost:8000/v1")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, errors.New("the base URL must begin with http:// or https:// and a host, as in http://localhost:8000/v1")
	}
	return u, nil
}

func isAzure(host string) bool {
	host = strings.ToLower(host)
	return slices.ContainsFunc(azureHosts, func(end string) bool { return strings.HasSuffix(host, end) })
}

// ownPaths are the hosts that have a protocol at another path than others.
var ownPaths = map[string]struct{ protocol, path string }{
	"api.writer.com": {"chat/completions", "chat"},
}

// resolve returns the address that requests of a protocol go to; protocol is
// the last part of its path, such as "chat/completions".
func resolve(c *Config, protocol string) (*url.URL, error) {
	u, err := parseBase(c.BaseURL)
	if err != nil {
		return nil, err
	}
	u.Fragment = ""
	path := strings.TrimRight(u.EscapedPath(), "/")
	if own, ok := ownPaths[strings.ToLower(u.Hostname())]; ok && own.protocol == protocol {
		protocol = own.path
	}
	if !strings.HasSuffix(path, "/"+protocol) {
		path = root(c, u, path, protocol) + "/" + protocol
	}
	if err := setPath(u, path); err != nil {
		return nil, err
	}
	if query := u.Query(); c.APIVersion != "" && !query.Has("api-version") {
		query.Set("api-version", c.APIVersion)
		u.RawQuery = query.Encode()
	}
	return u, nil
}

// root returns the path before the protocol's own.
func root(c *Config, u *url.URL, path, protocol string) string {
	switch {
	case !isAzure(u.Hostname()):
		if path == "" {
			return "/v1"
		}
	case path != "" && path != "/openai": // used as it is
	case c.APIVersion == "":
		return "/openai/v1"
	case protocol == "responses": // the address names no deployment
		return "/openai"
	default:
		return "/openai/deployments/" + url.PathEscape(c.Model)
	}
	return path
}

func setPath(u *url.URL, escaped string) error {
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return fmt.Errorf("the base URL's path cannot be read: %w", err)
	}
	u.Path, u.RawPath = path, escaped
	return nil
}
