package classes

import (
	_ "embed"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed message_api.json
var doc string

// Message is upstream's MessageAPI.
var Message = &sim.Class{
	Name: "MessageAPI", DocFile: "message_api.json", Doc: doc,
	Fields: sim.FieldsOf(defaults, "random_seed"),
	Methods: []sim.Method{
		// Counts before it looks whether the id is free, so that the next
		// attempt takes the next id.
		{Name: "add_contact", Params: sim.Params("user_name"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			if sim.Is(args[0], "in", a.Get("user_map")) {
				return sim.Fail("User name '{}' already exists.", args[0])
			}
			a.Add("user_count", 1)
			id := pyval.Str("USR" + zeroFilled(sim.Text("{}", a.Get("user_count"))))
			if hasID(a, id, "values") {
				return sim.Fail("User ID '{}' already exists.", id)
			}
			sim.Put(a.Get("user_map"), args[0], id)
			return sim.Answer("added_status", true, "user_id", id, "message", sim.Text("Contact '{}' added successfully.", args[0]))
		})},
		// Looks for the receiver's newest message and then removes the
		// oldest one equal to it, as list.remove does.
		{Name: "delete_message", Params: sim.Params("receiver_id"), Call: loggedIn(func(a *sim.Object, args []pyval.Value) pyval.Value {
			messages := sim.Items(a.Get("inbox"))
			for i := len(messages) - 1; i >= 0; i-- {
				if receiver, _ := receiverAndText(messages[i]); pyval.Equal(receiver, args[0]) {
					sim.Remove(a.Get("inbox"), messages[i])
					return sim.Answer("deleted_status", true, "receiver_id", args[0],
						"message", sim.Text("Receiver {}'s latest message deleted successfully.", args[0]))
				}
			}
			return sim.Fail("Receiver ID {} not found.", args[0])
		})},
		{Name: "get_message_stats", Call: loggedIn(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			messages, contacts := sim.Items(a.Get("inbox")), &pyval.Set{}
			for _, message := range messages {
				receiver, _ := receiverAndText(message)
				pyval.Check(contacts.Add(receiver))
			}
			return sim.Answer("stats", sim.Answer("received_count", len(messages), "total_contacts", contacts.Len()))
		})},
		{Name: "get_user_id", Params: sim.Params("user"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			if !sim.Is(args[0], "in", a.Get("user_map")) {
				return sim.Fail("User '{}' not found in the workspace.", args[0])
			}
			return sim.Answer("user_id", sim.GetOr(a.Get("user_map"), args[0], pyval.None))
		})},
		{Name: "list_users", Call: sim.On(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			return sim.Answer("user_list", pyval.NewList(users(a, "keys").Keys()...))
		})},
		{Name: "message_get_login_status", Call: sim.On(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			return sim.Answer("login_status", a.True("current_user"))
		})},
		{Name: "message_login", Params: sim.Params("user_id"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			if !hasID(a, args[0], "get") {
				return sim.Answer("login_status", false, "message", sim.Text("User ID '{}' not found.", args[0]))
			}
			a.Set("current_user", args[0])
			return sim.Answer("login_status", true, "message", sim.Text("User '{}' logged in successfully.", args[0]))
		})},
		{Name: "search_messages", Params: sim.Params("keyword"), Call: loggedIn(func(a *sim.Object, args []pyval.Value) pyval.Value {
			keyword, found := sim.Lower(args[0]), pyval.NewList()
			for _, message := range sim.Items(a.Get("inbox")) {
				if receiver, text := receiverAndText(message); strings.Contains(sim.Lower(text), keyword) {
					found.Items = append(found.Items, sim.Answer("receiver_id", receiver, "message", text))
				}
			}
			return sim.Answer("results", found)
		})},
		{Name: "send_message", Params: sim.Params("receiver_id", "message"), Call: loggedIn(func(a *sim.Object, args []pyval.Value) pyval.Value {
			if !hasID(a, args[0], "values") {
				return sim.Fail("Receiver ID '{}' not found.", args[0])
			}
			id, message := newID(a), &pyval.Dict{}
			sim.Put(message, args[0], args[1])
			sim.Append(a.Get("inbox"), message)
			a.Add("message_count", 1)
			return sim.Answer("sent_status", true, "message_id", sim.Answer("new_id", id),
				"message", sim.Text("Message sent to '{}' successfully.", args[0]))
		})},
		{Name: "view_messages_sent", Call: loggedIn(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			sent := &pyval.Dict{}
			for _, message := range sim.Items(a.Get("inbox")) {
				receiver, text := receiverAndText(message)
				if texts, ok := sent.Get(receiver); ok {
					sim.Append(texts, text)
				} else {
					sim.Put(sent, receiver, pyval.NewList(text))
				}
			}
			return sim.Answer("messages", sent)
		})},
	},
	New: sim.New(func(scenario *pyval.Dict, world *sim.World) sim.Instance {
		if !scenario.Has("generated_ids") {
			scenario.SetStr("generated_ids", &pyval.Set{})
		}
		return sim.NewObject(scenario, defaults, 200191, world)
	}),
}

// defaults are the attributes that a scenario does not set; generated_ids are
// an empty set.
var defaults = sim.Table(`{
	"generated_ids": [],
	"user_count": 4,
	"user_map": {"Alice": "USR001", "Bob": "USR002", "Catherine": "USR003", "Daniel": "USR004"},
	"inbox": [
		{"USR002": "My name is Alice. I want to connect."},
		{"USR003": "Could you upload the file?"},
		{"USR004": "Could you upload the file?"}
	],
	"message_count": 3,
	"current_user": null
}`)

// loggedIn makes a method that answers only while a user is logged in.
func loggedIn(f func(a *sim.Object, args []pyval.Value) pyval.Value) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
		if !a.True("current_user") {
			return sim.Fail("No user is currently logged in.")
		}
		return f(a, args)
	})
}

// users are the ids by name; upstream reads them with the dict's method.
func users(a *sim.Object, method string) *pyval.Dict { return sim.MustDict(a.Get("user_map"), method) }

// hasID reports whether a contact has the id, by Python's ==.
func hasID(a *sim.Object, id pyval.Value, method string) bool {
	for _, other := range users(a, method).All() {
		if pyval.Equal(other, id) {
			return true
		}
	}
	return false
}

// zeroFilled is Python's s.zfill(3) of a number's text: zeros go behind the
// sign.
func zeroFilled(s string) string {
	sign := s[:len(s)-len(strings.TrimLeft(s, "-"))]
	return sign + strings.Repeat("0", max(0, 3-len(s))) + s[len(sign):]
}

// newID is upstream's _generate_id: it draws until an id is new. If the scenario
// has no set, nothing can be added and the call fails.
func newID(a *sim.Object) pyval.Value {
	const lowest, highest = 10000, 99999
	used, ok := a.Get("generated_ids").(*pyval.Set)
	for {
		if ok && used.Len() > highest-lowest { // upstream draws forever
			panic(sim.Raise("RuntimeError", "all message ids are taken"))
		}
		id := pyval.MakeInt(a.Random.Int(lowest, highest))
		if known := sim.Is(id, "in", a.Get("generated_ids")); !ok {
			panic(sim.Raise("AttributeError", "'"+pyval.TypeName(a.Get("generated_ids"))+"' object has no attribute 'add'"))
		} else if !known {
			pyval.Check(used.Add(id))
			return id
		}
	}
}

// receiverAndText are the one entry of a message.
func receiverAndText(message pyval.Value) (receiver, text pyval.Value) {
	d := sim.MustDict(message, "items")
	if d.Len() == 0 {
		panic(sim.Raise("IndexError", "list index out of range"))
	}
	return d.At(0)
}
