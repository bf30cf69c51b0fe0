// Package posting simulates upstream's TwitterAPI: one account's tweets,
// comments, retweets and followings.
package posting

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed posting_api.json
var doc string

// Class is upstream's TwitterAPI.
var Class = &sim.Class{
	Name: "TwitterAPI", DocFile: "posting_api.json", Doc: doc,
	Fields: sim.FieldsOf(defaults),
	Methods: []sim.Method{
		{Name: "authenticate_twitter", Params: sim.Required("username", "password"), Call: sim.On(authenticate)},
		{Name: "comment", Params: sim.Required("tweet_id", "comment_content"), Call: before("commenting", onTweet(comment))},
		{Name: "follow_user", Params: sim.Required("username_to_follow"), Call: before("following", followUser)},
		{Name: "get_tweet", Params: sim.Required("tweet_id"), Call: sim.On(onTweet(getTweet))},
		{Name: "get_tweet_comments", Params: sim.Required("tweet_id"), Call: sim.On(onTweet(getTweetComments))},
		{Name: "get_user_stats", Params: sim.Required("username"), Call: sim.On(getUserStats)},
		{Name: "get_user_tweets", Params: sim.Required("username"), Call: sim.On(getUserTweets)},
		{Name: "list_all_following", Call: before("listing following", listAllFollowing)},
		{Name: "mention", Params: sim.Required("tweet_id", "mentioned_usernames"), Call: sim.On(onTweet(mention))},
		{Name: "post_tweet", Params: []sim.Param{
			{Name: "content"}, {Name: "tags", Default: omitted}, {Name: "mentions", Default: omitted},
		}, Call: before("posting", postTweet)},
		{Name: "posting_get_login_status", Call: sim.On(loginStatus)},
		{Name: "retweet", Params: sim.Required("tweet_id"), Call: before("retweeting", onTweet(retweet))},
		{Name: "search_tweets", Params: sim.Required("keyword"), Call: sim.On(searchTweets)},
		{Name: "unfollow_user", Params: sim.Required("username_to_unfollow"), Call: before("unfollowing", unfollowUser)},
	},
	New: load,
}

// An api holds its attributes as the scenario gives them: upstream checks no
// types, so a wrong one raises where it is used. Only the keys of the tweets
// are made ints.
type api struct {
	username, password, authenticated, comments, retweets, following, counter pyval.Value

	tweets *pyval.Dict
	world  *sim.World
}

var defaults = sim.Table(`{
	"username": "john",
	"password": "john123",
	"authenticated": false,
	"tweets": {},
	"comments": {},
	"retweets": {},
	"following_list": ["alice", "bob"],
	"tweet_counter": 0
}`)

func load(scenario *pyval.Dict, world *sim.World) (sim.Instance, error) {
	tweets, err := byNumber(sim.Default(scenario, defaults, "tweets"))
	if err != nil {
		return nil, err
	}
	return &api{
		username:      sim.Default(scenario, defaults, "username"),
		password:      sim.Default(scenario, defaults, "password"),
		authenticated: sim.Default(scenario, defaults, "authenticated"),
		tweets:        tweets,
		comments:      sim.Default(scenario, defaults, "comments"),
		retweets:      sim.Default(scenario, defaults, "retweets"),
		following:     sim.Default(scenario, defaults, "following_list"),
		counter:       sim.Default(scenario, defaults, "tweet_counter"),
		world:         world,
	}, nil
}

// byNumber makes the keys of a scenario's tweets ints. Upstream leaves those
// of the comments as they are, so it does not find the scenario's comments.
func byNumber(tweets pyval.Value) (*pyval.Dict, error) {
	given, err := sim.MustDict(tweets, "items")
	if err != nil {
		return nil, err
	}
	out := pyval.NewDict(given.Len())
	for key, tweet := range given.All() {
		id, err := pyval.ToInt(key)
		if err != nil {
			return nil, err
		}
		if err := out.Set(id, tweet); err != nil {
			return nil, err
		}
	}
	return out, nil
}

var attributes = sim.NewKeys(
	"username", "password", "authenticated", "tweets", "comments", "retweets", "following_list", "tweet_counter",
)

// State implements sim.Instance.
func (a *api) State() *pyval.Dict {
	return attributes.Record(
		a.username, a.password, a.authenticated, a.tweets, a.comments, a.retweets, a.following, a.counter)
}

// A method is a method of the class.
type method = func(a *api, args []pyval.Value) (pyval.Value, error)

// before makes a method that answers only after authentication; doing is what
// the refusal calls it.
func before(doing string, f method) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	refusal := "User not authenticated. Please authenticate before " + doing + "."
	return sim.On(func(a *api, args []pyval.Value) (pyval.Value, error) {
		if !pyval.Truth(a.authenticated) {
			return sim.Fail(refusal), nil
		}
		return f(a, args)
	})
}

// onTweet makes a method that works on the tweet its first argument names.
func onTweet(f func(a *api, tweet pyval.Value, args []pyval.Value) (pyval.Value, error)) method {
	return func(a *api, args []pyval.Value) (pyval.Value, error) {
		tweet, ok, err := sim.Find(a.tweets, args[0])
		if err != nil {
			return nil, err
		}
		if !ok {
			return sim.FailOn("Tweet with ID ", args[0], " not found.")
		}
		return f(a, tweet, args)
	}
}

// authenticate never logs a user out.
func authenticate(a *api, args []pyval.Value) (pyval.Value, error) {
	ok := pyval.Equal(args[0], a.username) && pyval.Equal(args[1], a.password)
	if ok {
		a.authenticated = pyval.Bool(true)
	}
	return sim.Answer("authentication_status", pyval.Bool(ok)), nil
}

func loginStatus(a *api, _ []pyval.Value) (pyval.Value, error) {
	return sim.Answer("login_status", pyval.Bool(pyval.Truth(a.authenticated))), nil
}
