// Package message simulates upstream's MessageAPI: a workspace's contacts and
// one inbox of messages by receiver.
package message

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed message_api.json
var doc string

// Class is upstream's MessageAPI.
var Class = &sim.Class{
	Name: "MessageAPI", DocFile: "message_api.json", Doc: doc,
	Fields: sim.FieldsOf(defaults, "generated_ids", "random_seed"),
	Methods: []sim.Method{
		{Name: "add_contact", Params: sim.Required("user_name"), Call: sim.On(addContact)},
		{Name: "delete_message", Params: sim.Required("receiver_id"), Call: loggedIn(deleteMessage)},
		{Name: "get_message_stats", Call: loggedIn(getMessageStats)},
		{Name: "get_user_id", Params: sim.Required("user"), Call: sim.On(getUserID)},
		{Name: "list_users", Call: sim.On(listUsers)},
		{Name: "message_get_login_status", Call: sim.On(loginStatus)},
		{Name: "message_login", Params: sim.Required("user_id"), Call: sim.On(login)},
		{Name: "search_messages", Params: sim.Required("keyword"), Call: loggedIn(searchMessages)},
		{Name: "send_message", Params: sim.Required("receiver_id", "message"), Call: loggedIn(sendMessage)},
		{Name: "view_messages_sent", Call: loggedIn(viewMessagesSent)},
	},
	New: load,
}

const defaultSeed = 200191

// An api holds its attributes as the scenario gives them: upstream checks no
// types, so a wrong one raises where it is used.
type api struct {
	generatedIDs, userCount, userMap, inbox, messageCount, currentUser pyval.Value

	random *sim.Random
}

// defaults are the values of attributes that a scenario does not set, except
// generated_ids, which is an empty set.
var defaults = sim.Table(`{
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

func load(scenario *pyval.Dict, _ *sim.World) (sim.Instance, error) {
	random, err := sim.SeedOf(scenario, defaultSeed)
	if err != nil {
		return nil, err
	}
	ids, ok := scenario.GetStr("generated_ids")
	if !ok {
		ids = &pyval.Set{}
	}
	return &api{
		generatedIDs: ids,
		userCount:    sim.Default(scenario, defaults, "user_count"),
		userMap:      sim.Default(scenario, defaults, "user_map"),
		inbox:        sim.Default(scenario, defaults, "inbox"),
		messageCount: sim.Default(scenario, defaults, "message_count"),
		currentUser:  sim.Default(scenario, defaults, "current_user"),
		random:       random,
	}, nil
}

var attributes = sim.NewKeys("generated_ids", "user_count", "user_map", "inbox", "message_count", "current_user")

// State implements sim.Instance.
func (a *api) State() *pyval.Dict {
	return attributes.Record(a.generatedIDs, a.userCount, a.userMap, a.inbox, a.messageCount, a.currentUser)
}

// loggedIn makes a method that answers only while a user is logged in.
func loggedIn(f func(a *api, args []pyval.Value) (pyval.Value, error)) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(a *api, args []pyval.Value) (pyval.Value, error) {
		if !pyval.Truth(a.currentUser) {
			return sim.Fail("No user is currently logged in."), nil
		}
		return f(a, args)
	})
}
