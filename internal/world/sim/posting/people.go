package posting

import (
	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// listIn is the list under a key of one of the account's dicts, made if it is
// not there.
func listIn(dict, key pyval.Value) (pyval.Value, error) {
	has, err := pyval.Contains(dict, key)
	if err != nil {
		return nil, err
	}
	if has {
		return pyval.Subscript(dict, key)
	}
	list := pyval.NewList()
	return list, sim.Set(dict, key, list)
}

func retweet(a *api, _ pyval.Value, args []pyval.Value) (pyval.Value, error) {
	own, err := listIn(a.retweets, a.username)
	if err != nil {
		return nil, err
	}
	has, err := pyval.Contains(own, args[0])
	if err != nil {
		return nil, err
	}
	if has {
		return sim.Answer("retweet_status", pyval.Str("Already retweeted")), nil
	}
	if err := sim.Append(own, args[0]); err != nil {
		return nil, err
	}
	return sim.Answer("retweet_status", pyval.Str("Successfully retweeted")), nil
}

func comment(a *api, _ pyval.Value, args []pyval.Value) (pyval.Value, error) {
	comments, err := listIn(a.comments, args[0])
	if err != nil {
		return nil, err
	}
	entry := sim.Record([]string{"username", "content"}, a.username, args[1])
	if err := sim.Append(comments, entry); err != nil {
		return nil, err
	}
	return sim.Answer("comment_status", pyval.Str("Comment added successfully")), nil
}

func getTweetComments(a *api, _ pyval.Value, args []pyval.Value) (pyval.Value, error) {
	return getOr(a.comments, args[0])
}

// getOr is Python's dict.get(key, []).
func getOr(dict, key pyval.Value) (pyval.Value, error) {
	d, err := sim.MustDict(dict, "get")
	if err != nil {
		return nil, err
	}
	v, ok, err := sim.Find(d, key)
	if err != nil || ok {
		return v, err
	}
	return pyval.NewList(), nil
}

func followUser(a *api, args []pyval.Value) (pyval.Value, error) {
	has, err := pyval.Contains(a.following, args[0])
	if err != nil {
		return nil, err
	}
	if !has {
		err = sim.Append(a.following, args[0])
	}
	return sim.Answer("follow_status", pyval.Bool(!has)), err
}

func unfollowUser(a *api, args []pyval.Value) (pyval.Value, error) {
	has, err := pyval.Contains(a.following, args[0])
	if err != nil {
		return nil, err
	}
	if has {
		err = sim.Remove(a.following, args[0])
	}
	return sim.Answer("unfollow_status", pyval.Bool(has)), err
}

func listAllFollowing(a *api, _ []pyval.Value) (pyval.Value, error) {
	return sim.Answer("following_list", a.following), nil
}

func getUserStats(a *api, args []pyval.Value) (pyval.Value, error) {
	tweets, err := a.of(args[0])
	if err != nil {
		return nil, err
	}
	following := 0
	if pyval.Equal(args[0], a.username) {
		if following, err = pyval.Length(a.following); err != nil {
			return nil, err
		}
	}
	own, err := getOr(a.retweets, args[0])
	if err != nil {
		return nil, err
	}
	retweets, err := pyval.Length(own)
	if err != nil {
		return nil, err
	}
	return sim.Record([]string{"tweet_count", "following_count", "retweet_count"},
		number(len(tweets)), number(following), number(retweets)), nil
}

func number(n int) pyval.Int { return pyval.MakeInt(int64(n)) }
