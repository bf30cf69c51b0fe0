package classes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim/message"
)

func TestMessageContacts(t *testing.T) {
	script(t, message.Class, `{"user_count": 1, "user_map": {"Ann": "USR002", "Ben": ["x"]}}`,
		step{"list_users()", `{"user_list": ["Ann", "Ben"]}`},
		step{"message_login(user_id=['x'])", `{"login_status": true, "message": "User '['x']' logged in successfully."}`},
		step{"add_contact('Cy')", `{"error": "User ID 'USR002' already exists."}`},
		step{"add_contact('Cy')", `{"added_status": true, "user_id": "USR003", "message": "Contact 'Cy' added successfully."}`},
		step{"add_contact('Cy')", `{"error": "User name 'Cy' already exists."}`},
		step{"add_contact({})", raised + "unhashable type: 'dict'"},
		step{"get_user_id('Dan')", `{"error": "User 'Dan' not found in the workspace."}`},
		step{"get_user_id(user='Cy')", `{"user_id": "USR003"}`},
	)
}

func TestMessageUserNumbers(t *testing.T) {
	for _, row := range []struct{ count, want string }{
		{"0", `USR001`}, {"-3", `USR-02`}, {"998", `USR999`}, {"999", `USR1000`}, {"1.5", `USR2.5`}, {"true", `USR002`}, {"-1000", `USR-999`},
	} {
		script(t, message.Class, `{"user_map": {}, "user_count": `+row.count+`}`, step{
			Call: "add_contact('x')",
			Want: `{"added_status": true, "user_id": "` + row.want + `", "message": "Contact 'x' added successfully."}`,
		})
	}
	script(t, message.Class, `{"user_count": "4"}`,
		step{"add_contact('x')", raised + `can only concatenate str (not "int") to str`})
}

// TestMessageNameTooLong: an id of more digits than Python shows raises only after
// the contact is in.
func TestMessageNameTooLong(t *testing.T) {
	script(t, message.Class, `{"user_map": {}}`,
		step{"add_contact(0x1" + strings.Repeat("0", 4000) + ")", raised + tooLong},
		step{"add_contact('x')", `{"added_status": true, "user_id": "USR006", "message": "Contact 'x' added successfully."}`},
	)
}

const tooLong = "Exceeds the limit (4300 digits) for integer string conversion; use sys.set_int_max_str_digits() to increase the limit"

func TestMessageInbox(t *testing.T) {
	script(t, message.Class, `{"current_user": "USR001", "user_map": {"A": "a"}, "inbox": []}`,
		step{"search_messages('x')", `{"results": []}`},
		step{"delete_message('a')", `{"error": "Receiver ID a not found."}`},
		step{"send_message('b', 'x')", `{"error": "Receiver ID 'b' not found."}`},
		step{"send_message('a', 'ΟΔΟΣ')", `{"sent_status": true, "message_id": {"new_id": 67410}, "message": "Message sent to 'a' successfully."}`},
		step{"search_messages('οδος')", `{"results": [{"receiver_id": "a", "message": "\u039f\u0394\u039f\u03a3"}]}`},
		step{"send_message('a', None)", `{"sent_status": true, "message_id": {"new_id": 41772}, "message": "Message sent to 'a' successfully."}`},
		step{"view_messages_sent()", `{"messages": {"a": ["\u039f\u0394\u039f\u03a3", null]}}`},
		step{"search_messages('x')", raised + "'NoneType' object has no attribute 'lower'"},
		step{"get_message_stats()", `{"stats": {"received_count": 2, "total_contacts": 1}}`},
		step{"delete_message('a')", deletedA}, step{"delete_message('a')", deletedA}, // the oldest, too
		step{"get_message_stats()", `{"stats": {"received_count": 0, "total_contacts": 0}}`},
	)
}

const deletedA = `{"deleted_status": true, "receiver_id": "a", "message": "Receiver a's latest message deleted successfully."}`

// TestMessageOddInbox: messages of the wrong shape raise where they are reached.
func TestMessageOddInbox(t *testing.T) {
	for _, row := range []struct{ inbox, call, want string }{
		{`[{}]`, "get_message_stats()", "list index out of range"},
		{`["x"]`, "view_messages_sent()", "'str' object has no attribute 'items'"},
		{`5`, "view_messages_sent()", "'int' object is not iterable"},
		{`[{"b": "y"}, {"a": "x"}, {}]`, "delete_message('a')", "list index out of range"},
		{`[{"a": 5}]`, "search_messages(5)", "'int' object has no attribute 'lower'"},
		{`[]`, "search_messages(None)", "'NoneType' object has no attribute 'lower'"},
		{`{}`, "send_message('USR002', 'x')", "'dict' object has no attribute 'append'"},
	} {
		script(t, message.Class, `{"current_user": "u", "inbox": `+row.inbox+`}`,
			step{row.call, raised + row.want})
	}
}

func TestMessageNobodyLoggedIn(t *testing.T) {
	refused := `{"error": "No user is currently logged in."}`
	for _, user := range []string{"null", `""`, "0", "[]"} {
		script(t, message.Class, `{"current_user": `+user+`}`,
			step{"message_get_login_status()", `{"login_status": false}`},
			step{"view_messages_sent()", refused},
			step{"get_message_stats()", refused},
			step{"delete_message('USR002')", refused},
			step{"search_messages('a')", refused},
			step{"send_message('USR002', 'a')", refused},
		)
	}
}

// TestMessageIDsRunOut: where upstream would draw forever, the call fails.
func TestMessageIDsRunOut(t *testing.T) {
	self, err := message.Class.New(&pyval.Dict{}, nil)
	assert.NoError(t, err)
	send := message.Class.Methods[8]
	assert.Equal(t, "send_message", send.Name)
	_, err = message.Class.Methods[6].Call(self, []pyval.Value{pyval.Str("USR001")})
	assert.NoError(t, err)
	sent := 0
	for ; err == nil && sent <= 100_000; sent++ {
		_, err = send.Call(self, []pyval.Value{pyval.Str("USR002"), pyval.Str("m")})
	}
	assert.EqualError(t, err, "RuntimeError: all message ids are taken")
	assert.Equal(t, 90_001, sent)
}

// TestMessageSeed: seeds work as Python's do, and other values are refused.
func TestMessageSeed(t *testing.T) {
	script(t, message.Class, `{"current_user": "u", "random_seed": -200191}`,
		step{"send_message('USR002', '')", `{"sent_status": true, "message_id": {"new_id": 67410}, "message": "Message sent to 'USR002' successfully."}`})
	for _, seed := range []string{`"x"`, `null`, `1.5`, `[]`} {
		scenario, _ := pyval.ParseJSON(`{"random_seed": ` + seed + `}`)
		_, err := message.Class.New(scenario.(*pyval.Dict), nil)
		assert.Error(t, err, seed)
	}
}

func BenchmarkMessageTurn(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		env := open(b, message.Class, `{"current_user": "USR001"}`, nil)
		env.Execute([]string{"send_message(receiver_id='USR002', message='see you at noon')", "view_messages_sent()"})
	}
}
