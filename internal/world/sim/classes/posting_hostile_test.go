package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/world/sim/posting"
)

func TestPostingHostile(t *testing.T) {
	hostile(t, posting.Class,
		`{}`,
		`{"authenticated": true, "tweets": {"1": {"id": 1, "username": "john", "content": "a", "tags": ["A"], "mentions": []}}}`,
		`{"authenticated": true, "tweets": {"1": {}, "0": 5}, "comments": [], "retweets": []}`,
		`{"authenticated": true, "tweets": {"1": {"username": 1, "content": "b", "tags": [5], "mentions": "x"}}, "username": [], "comments": "1", "retweets": {"john": 5}}`,
		`{"authenticated": 1, "tweets": {"1": []}, "following_list": null, "tweet_counter": "x", "comments": 1, "retweets": 1}`,
		`{"authenticated": 1, "tweets": {"1": {"content": "a", "tags": null}}, "following_list": "alice", "tweet_counter": []}`,
	)
}

func FuzzPostingCalls(f *testing.F) {
	fuzz(f, posting.Class,
		[2]string{`{}`, "authenticate_twitter(username='john', password='john123')\npost_tweet(content='x')\nmention(0, 'ab')\nget_tweet(0)"},
		[2]string{`{"authenticated": true}`, "post_tweet('a')\nmention(0, ['b'])\nmention(0, get_tweet(0)['mentions'])\nmention(0, get_tweet(0)['mentions'])\npost_tweet('c', tags=['#A'])\nsearch_tweets('#a')"},
		[2]string{`{"authenticated": true}`, "follow_user(list_all_following()['following_list'])\nlist_all_following()\npost_tweet(get_user_tweets('john'))\npost_tweet(get_user_tweets('john'))\nget_user_tweets('john')"},
		[2]string{`{"authenticated": 1, "tweets": {"1_0": {"content": 5}}, "retweets": {"john": 3}}`, "retweet(10)\ncomment(10.0, ...)\nget_tweet_comments(10)\nget_user_stats('john')\nsearch_tweets(None)\nunfollow_user('alice')"},
	)
}
