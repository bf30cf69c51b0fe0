package suite

import (
	"fmt"
	"os"
)

// Divide sets the shard that the environment asks for, if the user names none.
// It says so in a note, because those who set the variables may not know that
// they count.
func Divide(o Options) (divided Options, note string, err error) {
	part, origin, err := ShardOf(o.Shard, os.Getenv)
	if err != nil {
		return o, "", err
	}
	if part.Whole() {
		return o, "", nil // "0/1" stays, so that it overrides the environment in child processes too
	}
	o.Shard = part.String()
	if err := Acknowledge(os.Getenv); err != nil {
		return o, "", fmt.Errorf("shard: %w", err)
	}
	note = fmt.Sprintf("this is shard %s of the run", o.Shard)
	if origin != "" {
		note += fmt.Sprintf(", set by %s (-shard=0/1 runs everything)", origin)
	}
	return o, note, nil
}

// budgets gives a shard its part of what the whole run may use. The catalogue's
// rates are divided like the user's, because the provider counts all shards
// together.
func budgets(o Options, m model, part Shard) Options {
	if part.Whole() {
		return o
	}
	for _, budget := range []struct {
		flag  *int
		known int
	}{{&o.RPM, m.entry.RPM}, {&o.TPM, m.entry.TPM}} {
		if *budget.flag == 0 {
			*budget.flag = budget.known
		}
		*budget.flag = part.Share(*budget.flag)
	}
	o.MaxCost /= float64(part.Count)
	return o
}
