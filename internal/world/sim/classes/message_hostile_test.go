package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/world/sim/message"
)

func TestMessageHostile(t *testing.T) {
	hostile(t, message.Class,
		`{}`,
		`{"current_user": "USR001"}`,
		`{"current_user": "USR001", "inbox": [{}], "user_map": {"a": []}}`,
		`{"current_user": "USR001", "inbox": ["x"], "user_map": []}`,
		`{"current_user": 1, "inbox": {"a": 1}, "user_map": "a", "user_count": "a", "message_count": null}`,
		`{"current_user": [0], "inbox": null, "user_map": null, "generated_ids": 5}`,
	)
}

func FuzzMessageCalls(f *testing.F) {
	fuzz(f, message.Class,
		[2]string{`{}`, "message_login(user_id='USR001')\nsend_message(receiver_id='USR002', message='hi')\nview_messages_sent()"},
		[2]string{`{"current_user": "USR001", "random_seed": 5}`, "send_message('USR002', view_messages_sent())\nsend_message('USR002', view_messages_sent())\nget_message_stats()"},
		[2]string{`{"inbox": [{}], "current_user": 1}`, "search_messages(keyword='a')\ndelete_message(receiver_id=None)\nadd_contact(user_name=(1, 2))\nlist_users()\nget_user_id(user=[])"},
	)
}
