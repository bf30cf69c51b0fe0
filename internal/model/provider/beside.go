package provider

// Beside returns an endpoint of the same server at another path, below the
// server's root: with the same headers, and without the extra fields of bodies.
func (e *Endpoint) Beside(path string) *Endpoint {
	other := *e
	u := *e.url
	u.Path, u.RawPath = path, ""
	other.url, other.extra = &u, nil
	return &other
}
