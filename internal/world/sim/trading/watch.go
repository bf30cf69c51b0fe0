package trading

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// watch needs no login, and answers with the list whatever happened.
func (b *bot) watch(args []pyval.Value) (pyval.Value, error) {
	known, err := pyval.Contains(b.stocks, args[0])
	if err == nil && known {
		var watched bool
		if watched, err = pyval.Contains(b.watched, args[0]); err == nil && !watched {
			err = sim.Append(b.watched, args[0])
		}
	}
	if err != nil {
		return nil, err
	}
	return sim.Answer("watchlist", b.watched), nil
}

func (b *bot) unwatch(args []pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return sim.Fail("User not authenticated. Please log in to modify the watchlist."), nil
	}
	watched, err := pyval.Contains(b.watched, args[0])
	switch {
	case err != nil:
		return nil, err
	case !watched:
		return sim.FailOn("Stock ", args[0], " not found in watchlist.")
	}
	if err := sim.Remove(b.watched, args[0]); err != nil {
		return nil, err
	}
	text, err := sim.Around("Stock ", args[0], " removed from watchlist successfully.")
	return sim.Answer("status", text), err
}

// showWatched answers with a bare list where upstream does: without a login,
// and in long-context mode.
func (b *bot) showWatched([]pyval.Value) (pyval.Value, error) {
	if !pyval.Truth(b.logged) {
		return pyval.NewList(pyval.Str("Error: User not authenticated. Please log in to view the watchlist.")), nil
	}
	if b.long == nil {
		return sim.Answer("watchlist", b.watched), nil
	}
	list, err := sim.MustList(b.watched, "copy")
	if err != nil {
		return nil, err
	}
	return extended(list, b.long.List("WATCH_LIST_EXTENSION")), nil
}
