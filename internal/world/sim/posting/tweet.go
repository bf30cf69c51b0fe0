package posting

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// omitted stands for a default list of post_tweet. It is recognized by its
// address and never stored.
var omitted = pyval.NewList()

// listOr is an argument or, if it was left out, the case's default list.
// Upstream's defaults are one list for all tweets posted without the argument,
// on both sides: a mention added to one is in all of them.
func (a *api) listOr(arg pyval.Value, name string) pyval.Value {
	if list, ok := arg.(*pyval.List); !ok || list != omitted {
		return arg
	}
	return a.world.Shared("post_tweet "+name, func() pyval.Value { return pyval.NewList() })
}

var tweetFields = []string{"id", "username", "content", "tags", "mentions"}

func postTweet(a *api, args []pyval.Value) (pyval.Value, error) {
	tags, mentions := a.listOr(args[1], "tags"), a.listOr(args[2], "mentions")
	tweet := sim.Record(tweetFields, a.counter, a.username, args[0], tags, mentions)
	if err := sim.Set(a.tweets, a.counter, tweet); err != nil {
		return nil, err
	}
	next, err := sim.Plus(a.counter, pyval.MakeInt(1))
	if err != nil {
		return nil, err
	}
	a.counter = next
	return tweet, nil
}

func getTweet(_ *api, tweet pyval.Value, _ []pyval.Value) (pyval.Value, error) { return tweet, nil }

func mention(_ *api, tweet pyval.Value, args []pyval.Value) (pyval.Value, error) {
	v, err := sim.Entry(tweet, "mentions")
	if err != nil {
		return nil, err
	}
	mentions, err := sim.MustList(v, "extend")
	if err != nil {
		return nil, err
	}
	more, err := pyval.Iterate(args[1])
	if err != nil {
		return nil, err
	}
	mentions.Items = append(mentions.Items, more...)
	return sim.Answer("mention_status", pyval.Str("Users mentioned successfully")), nil
}

// of are the tweets that a user posted.
func (a *api) of(user pyval.Value) ([]pyval.Value, error) {
	return a.filter(func(tweet pyval.Value) (bool, error) {
		author, err := sim.Entry(tweet, "username")
		return err == nil && pyval.Equal(author, user), err
	})
}

// filter are the tweets that f accepts, in posting order; the first error
// ends it.
func (a *api) filter(f func(tweet pyval.Value) (bool, error)) ([]pyval.Value, error) {
	var out []pyval.Value
	for _, tweet := range a.tweets.All() {
		ok, err := f(tweet)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, tweet)
		}
	}
	return out, nil
}

func getUserTweets(a *api, args []pyval.Value) (pyval.Value, error) {
	tweets, err := a.of(args[0])
	return pyval.NewList(tweets...), err
}

func searchTweets(a *api, args []pyval.Value) (pyval.Value, error) {
	found, err := a.filter(func(tweet pyval.Value) (bool, error) {
		keyword, err := lower(args[0])
		if err != nil {
			return false, err
		}
		content, err := lowerEntry(tweet, "content")
		if err != nil || strings.Contains(content, keyword) {
			return err == nil, err
		}
		return tagged(tweet, keyword)
	})
	return pyval.NewList(found...), err
}

// tagged reports whether one of a tweet's tags is the keyword. All are put into
// lower case first, so one that is not text raises even after the right one.
func tagged(tweet pyval.Value, keyword string) (bool, error) {
	v, err := sim.Entry(tweet, "tags")
	if err != nil {
		return false, err
	}
	tags, err := pyval.Iterate(v)
	if err != nil {
		return false, err
	}
	found := false
	for _, tag := range tags {
		text, err := lower(tag)
		if err != nil {
			return false, err
		}
		found = found || text == keyword
	}
	return found, nil
}

func lowerEntry(v pyval.Value, key string) (string, error) {
	entry, err := sim.Entry(v, key)
	if err != nil {
		return "", err
	}
	return lower(entry)
}

func lower(v pyval.Value) (string, error) {
	text, err := sim.MustText(v, "lower")
	return pyval.Lower(text), err
}
