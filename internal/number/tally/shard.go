package tally

import (
	"fmt"
	"strconv"
	"strings"
)

// gather checks that the sources are a whole run or all of its shards, each
// once. A single shard is accepted if Options.Shard allows it.
func gather(sources []source, o Options) error {
	first := sources[0].claim()
	if first.shard.Whole() || o.Shard && len(sources) == 1 {
		return nil
	}
	from := map[int]string{}
	for _, s := range sources {
		c := s.claim()
		if other, dup := from[c.shard.Index]; dup {
			return fmt.Errorf("%s and %s are both shard %s: name each shard once", other, c.path, c.shard)
		}
		from[c.shard.Index] = c.path
	}
	var missing []string
	for i := range first.shard.Count {
		if from[i] == "" {
			missing = append(missing, strconv.Itoa(i)+"/"+strconv.Itoa(first.shard.Count))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	const most = 10
	shown := strings.Join(missing[:min(most, len(missing))], ", ")
	if len(missing) > most {
		shown += ", …"
	}
	return fmt.Errorf("%d of the run's %d shards are missing: %s; a score needs all of them: name their folders too", len(missing), first.shard.Count, shown)
}
