package classes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/posting"
)

const postingOpen = `{"authenticated": true}`

// TestPostingDefaultLists: tweets posted without mentions share one list within a
// case, on both of its sides, and with no other case.
func TestPostingDefaultLists(t *testing.T) {
	world := sim.NewWorld(nil)
	model, reference := open(t, posting.Class, postingOpen, world), open(t, posting.Class, postingOpen, world)
	other := open(t, posting.Class, postingOpen, nil)
	for _, env := range []*sim.Env{model, reference, other} {
		env.Execute([]string{"post_tweet('a')", "post_tweet('b', mentions=[])"})
	}
	model.Call("mention(0, ['@m'])")
	assert.Equal(t, `{"id": 0, "username": "john", "content": "a", "tags": [], "mentions": ["@m"]}`, reference.Call("get_tweet(0)").Text)
	assert.Equal(t, `{"id": 1, "username": "john", "content": "b", "tags": [], "mentions": []}`, reference.Call("get_tweet(1)").Text)
	assert.Equal(t, `{"id": 0, "username": "john", "content": "a", "tags": [], "mentions": []}`, other.Call("get_tweet(0)").Text)
	assert.Equal(t, `{"id": 0, "username": "john", "content": "x", "tags": [], "mentions": []}`,
		open(t, posting.Class, postingOpen, nil).Call("post_tweet('x')").Text)
}

// TestPostingInterleaved: cases that take turns do not see each other.
func TestPostingInterleaved(t *testing.T) {
	calls := []string{"post_tweet('a', ['#x'])", "mention(0, 'ab')", "retweet(0)", "comment(0, 'c')", "follow_user('x')", "unfollow_user('bob')"}
	alone := open(t, posting.Class, postingOpen, nil)
	want := alone.Execute(calls)
	var cases []*sim.Env
	for range 20 {
		cases = append(cases, open(t, posting.Class, postingOpen, nil))
	}
	for i, call := range calls {
		for _, env := range cases {
			assert.Equal(t, want[i], env.Call(call).Text)
		}
	}
	instance, _ := alone.Instance("TwitterAPI")
	for _, env := range cases {
		own, _ := env.Instance("TwitterAPI")
		assert.True(t, pyval.Equal(instance.State(), own.State()))
	}
}

func TestPostingSearch(t *testing.T) {
	script(t, posting.Class, `{"tweets": {"4": {"username": "a", "content": "Big News", "tags": ["#One", "Two"]}}}`,
		step{"search_tweets('big n')", `[{'username': 'a', 'content': 'Big News', 'tags': ['#One', 'Two']}]`},
		step{"search_tweets('TWO')", `[{'username': 'a', 'content': 'Big News', 'tags': ['#One', 'Two']}]`},
		step{"search_tweets('one')", `[]`},
		step{"search_tweets(None)", raised + "'NoneType' object has no attribute 'lower'"},
		step{"mention(4, ['x'])", raised + "'mentions'"},
	)
	script(t, posting.Class, `{}`, step{"search_tweets(None)", `[]`})
	script(t, posting.Class, `{"tweets": {"4": {"content": "a", "tags": ["b", 5]}}}`,
		step{"search_tweets('a')", `[{'content': 'a', 'tags': ['b', 5]}]`},
		step{"search_tweets('b')", raised + "'int' object has no attribute 'lower'"})
}

func TestPostingTweetKeys(t *testing.T) {
	script(t, posting.Class, `{"tweets": {" 1_0 ": {"id": "x"}, "٣": {}}, "comments": {"10": ["old"]}, "authenticated": 1}`,
		step{"get_tweet(10.0)", `{"id": "x"}`},
		step{"get_tweet(3)", `{}`},
		step{"get_tweet('10')", `{"error": "Tweet with ID 10 not found."}`},
		step{"get_tweet((1, [2]))", raised + "unhashable type: 'list'"},
		step{"get_tweet_comments(10)", `[]`},
		step{"comment(10, 'new')", `{"comment_status": "Comment added successfully"}`},
		step{"get_tweet_comments(10)", `[{'username': 'john', 'content': 'new'}]`},
		step{"get_user_stats('john')", raised + "'username'"},
	)
	for _, tweets := range []string{`{"x": {}}`, `[]`, `"1"`, `{"1.5": {}}`, `{"` + strings.Repeat("1", 5000) + `": {}}`} {
		scenario, _ := pyval.ParseJSON(`{"tweets": ` + tweets + `}`)
		_, err := posting.Class.New(scenario.(*pyval.Dict), sim.NewWorld(nil))
		assert.Error(t, err, shorten(tweets))
	}
}

// TestPostingGrowth: a list that is extended by itself stays within bounds.
func TestPostingGrowth(t *testing.T) {
	env := open(t, posting.Class, postingOpen, nil)
	env.Call("post_tweet('a', mentions=['b'])")
	var last string
	for range 100 {
		last = env.Call("mention(0, get_tweet(0)['mentions'])").Text
	}
	assert.Equal(t, raised+"the calls of this case take too much memory", last)
}

// TestPostingInItself: what upstream would store inside itself is stored as a copy.
func TestPostingInItself(t *testing.T) {
	script(t, posting.Class, postingOpen,
		step{"follow_user(list_all_following()['following_list'])", `{"follow_status": true}`},
		step{"list_all_following()", `{"following_list": ["alice", "bob", ["alice", "bob"]]}`},
	)
}

func TestPostingFollowing(t *testing.T) {
	script(t, posting.Class, `{"authenticated": true, "following_list": ["a", "b", "a"], "retweets": {"john": "xyz", "b": 5}}`,
		step{"follow_user('a')", `{"follow_status": false}`},
		step{"unfollow_user('a')", `{"unfollow_status": true}`},
		step{"list_all_following()", `{"following_list": ["b", "a"]}`},
		step{"unfollow_user('z')", `{"unfollow_status": false}`},
		step{"get_user_stats('john')", `{"tweet_count": 0, "following_count": 2, "retweet_count": 3}`},
		step{"get_user_stats('b')", raised + "object of type 'int' has no len()"},
		step{"get_user_stats([])", raised + "unhashable type: 'list'"},
	)
}

func BenchmarkPostingTurn(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		env := open(b, posting.Class, postingOpen, nil)
		env.Execute([]string{"post_tweet(content='see you at noon', tags=['#lunch'])", "get_user_tweets(username='john')"})
	}
}
