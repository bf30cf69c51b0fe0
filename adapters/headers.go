package adapters

import "net/http"

// headers returns the model's extra headers with their values.
func (cfg Config) headers() http.Header {
	if len(cfg.Access.Headers) == 0 {
		return nil
	}
	out := http.Header{}
	for name, value := range cfg.Access.Headers {
		out.Set(name, string(value))
	}
	return out
}
