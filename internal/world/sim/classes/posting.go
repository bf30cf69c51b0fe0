package classes

import (
	_ "embed"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed posting_api.json
var docPosting string

// Posting is upstream's TwitterAPI.
var Posting = &sim.Class{
	Name: "TwitterAPI", DocFile: "posting_api.json", Doc: docPosting,
	Fields: sim.FieldsOf(defaultsPosting),
	Methods: []sim.Method{
		// Never logs a user out.
		{Name: "authenticate_twitter", Params: sim.Params("username", "password"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			ok := pyval.Equal(args[0], a.Get("username")) && pyval.Equal(args[1], a.Get("password"))
			if ok {
				a.Set("authenticated", true)
			}
			return sim.Answer("authentication_status", ok)
		})},
		{Name: "comment", Params: sim.Params("tweet_id", "comment_content"), Call: before("commenting", onTweet(func(a *sim.Object, _ pyval.Value, args []pyval.Value) pyval.Value {
			sim.Append(listIn(a.Get("comments"), args[0]), sim.Answer("username", a.Get("username"), "content", args[1]))
			return sim.Answer("comment_status", "Comment added successfully")
		}))},
		{Name: "follow_user", Params: sim.Params("username_to_follow"), Call: before("following", func(a *sim.Object, args []pyval.Value) pyval.Value {
			has := sim.Is(args[0], "in", a.Get("following_list"))
			if !has {
				sim.Append(a.Get("following_list"), args[0])
			}
			return sim.Answer("follow_status", !has)
		})},
		{Name: "get_tweet", Params: sim.Params("tweet_id"), Call: sim.On(onTweet(func(_ *sim.Object, tweet pyval.Value, _ []pyval.Value) pyval.Value { return tweet }))},
		{Name: "get_tweet_comments", Params: sim.Params("tweet_id"), Call: sim.On(onTweet(func(a *sim.Object, _ pyval.Value, args []pyval.Value) pyval.Value {
			return sim.GetOr(a.Get("comments"), args[0], pyval.NewList())
		}))},
		{Name: "get_user_stats", Params: sim.Params("username"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			own := getUserTweets(a, args).(*pyval.List)
			following := 0
			if pyval.Equal(args[0], a.Get("username")) {
				following = pyval.Must(pyval.Length(a.Get("following_list")))
			}
			retweets := pyval.Must(pyval.Length(sim.GetOr(a.Get("retweets"), args[0], pyval.NewList())))
			return sim.Answer("tweet_count", len(own.Items), "following_count", following, "retweet_count", retweets)
		})},
		{Name: "get_user_tweets", Params: sim.Params("username"), Call: sim.On(getUserTweets)},
		{Name: "list_all_following", Call: before("listing following", func(a *sim.Object, _ []pyval.Value) pyval.Value {
			return sim.Answer("following_list", a.Get("following_list"))
		})},
		{Name: "mention", Params: sim.Params("tweet_id", "mentioned_usernames"), Call: sim.On(onTweet(func(_ *sim.Object, tweet pyval.Value, args []pyval.Value) pyval.Value {
			mentions := sim.MustList(sim.At(tweet, "mentions"), "extend")
			mentions.Items = append(mentions.Items, sim.Items(args[1])...)
			return sim.Answer("mention_status", "Users mentioned successfully")
		}))},
		{Name: "post_tweet", Params: []sim.Param{{Name: "content"}, {Name: "tags", Default: omitted}, {Name: "mentions", Default: omitted}}, Call: before("posting", func(a *sim.Object, args []pyval.Value) pyval.Value {
			tweet := sim.Answer("id", a.Get("tweet_counter"), "username", a.Get("username"), "content", args[0],
				"tags", listOr(a, args[1], "tags"), "mentions", listOr(a, args[2], "mentions"))
			sim.Put(a.Get("tweets"), a.Get("tweet_counter"), tweet)
			a.Add("tweet_counter", 1)
			return tweet
		})},
		{Name: "posting_get_login_status", Call: sim.On(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			return sim.Answer("login_status", a.True("authenticated"))
		})},
		{Name: "retweet", Params: sim.Params("tweet_id"), Call: before("retweeting", onTweet(func(a *sim.Object, _ pyval.Value, args []pyval.Value) pyval.Value {
			own := listIn(a.Get("retweets"), a.Get("username"))
			if sim.Is(args[0], "in", own) {
				return sim.Answer("retweet_status", "Already retweeted")
			}
			sim.Append(own, args[0])
			return sim.Answer("retweet_status", "Successfully retweeted")
		}))},
		// Puts all tags into lower case, so one that is not text raises
		// even after the right one.
		{Name: "search_tweets", Params: sim.Params("keyword"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			return tweets(a, func(tweet pyval.Value) bool {
				keyword := sim.Lower(args[0])
				if strings.Contains(sim.Lower(sim.At(tweet, "content")), keyword) {
					return true
				}
				found := false
				for _, tag := range sim.Items(sim.At(tweet, "tags")) {
					found = sim.Lower(tag) == keyword || found
				}
				return found
			})
		})},
		{Name: "unfollow_user", Params: sim.Params("username_to_unfollow"), Call: before("unfollowing", func(a *sim.Object, args []pyval.Value) pyval.Value {
			has := sim.Is(args[0], "in", a.Get("following_list"))
			if has {
				sim.Remove(a.Get("following_list"), args[0])
			}
			return sim.Answer("unfollow_status", has)
		})},
	},
	New: sim.New(load),
}

var defaultsPosting = sim.Table(`{
	"username": "john",
	"password": "john123",
	"authenticated": false,
	"tweets": {},
	"comments": {},
	"retweets": {},
	"following_list": ["alice", "bob"],
	"tweet_counter": 0
}`)

// load makes the keys of a scenario's tweets ints. Upstream leaves those of the
// comments as they are, so it does not find the scenario's comments.
func load(scenario *pyval.Dict, world *sim.World) sim.Instance {
	a, tweets := sim.NewObject(scenario, defaultsPosting, 0, world), &pyval.Dict{}
	for key, tweet := range sim.MustDict(a.Get("tweets"), "items").All() {
		sim.Put(tweets, pyval.Must(pyval.ToInt(key)), tweet)
	}
	a.Set("tweets", tweets)
	return a
}

type method = func(a *sim.Object, args []pyval.Value) pyval.Value

// before makes a method that answers only after authentication; doing is what
// the refusal calls it.
func before(doing string, f method) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
		if !a.True("authenticated") {
			return sim.Fail("User not authenticated. Please authenticate before " + doing + ".")
		}
		return f(a, args)
	})
}

// onTweet makes a method that works on the tweet its first argument names.
func onTweet(f func(a *sim.Object, tweet pyval.Value, args []pyval.Value) pyval.Value) method {
	return func(a *sim.Object, args []pyval.Value) pyval.Value {
		if tweet, ok := sim.Find(a.Get("tweets").(*pyval.Dict), args[0]); ok {
			return f(a, tweet, args)
		}
		return sim.Fail("Tweet with ID {} not found.", args[0])
	}
}

// omitted stands for a default list of post_tweet. It is recognized by its
// address and never stored.
var omitted = pyval.NewList()

// listOr is an argument or, if it was left out, the case's default list.
// Upstream's defaults are one list for all tweets posted without the argument,
// on both sides: a mention added to one is in all of them.
func listOr(a *sim.Object, arg pyval.Value, name string) pyval.Value {
	if list, ok := arg.(*pyval.List); !ok || list != omitted {
		return arg
	}
	return a.Shared("post_tweet "+name, func() pyval.Value { return pyval.NewList() })
}

// tweets are those that f accepts, in posting order.
func tweets(a *sim.Object, f func(tweet pyval.Value) bool) *pyval.List {
	out := &pyval.List{}
	for _, tweet := range a.Get("tweets").(*pyval.Dict).All() {
		if f(tweet) {
			out.Items = append(out.Items, tweet)
		}
	}
	return out
}

func getUserTweets(a *sim.Object, args []pyval.Value) pyval.Value {
	return tweets(a, func(tweet pyval.Value) bool { return pyval.Equal(sim.At(tweet, "username"), args[0]) })
}

// listIn is the list under a key of one of the account's dicts, made if it is
// not there.
func listIn(dict, key pyval.Value) pyval.Value {
	if !sim.Is(key, "in", dict) {
		sim.Put(dict, key, pyval.NewList())
	}
	return sim.At(dict, key)
}
