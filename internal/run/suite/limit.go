package suite

import "errors"

// limit keeps the cases of -limit: the first case of each category, then the
// second ones, until there are enough. The run states their ids, as it does for
// -ids, and its score says that it covers only a part.
func (p *Plan) limit(o Options) error {
	switch {
	case o.Limit == 0 || o.Limit >= p.Cases():
		return nil
	case o.Sample != "":
		return errors.New("-limit and -sample both choose cases: -limit looks at a server, -sample measures a model")
	}
	p.IDs = nil
	for i := 0; len(p.IDs) < o.Limit; i++ {
		for _, part := range p.Parts {
			if i < len(part.Cases) && len(p.IDs) < o.Limit {
				p.IDs = append(p.IDs, part.Cases[i].ID)
			}
		}
	}
	return p.narrow()
}
