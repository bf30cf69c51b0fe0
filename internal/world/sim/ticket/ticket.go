// Package ticket simulates upstream's TicketAPI: a queue of support tickets.
package ticket

import (
	_ "embed"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed ticket_api.json
var doc string

// Class is upstream's TicketAPI.
var Class = &sim.Class{
	Name: "TicketAPI", DocFile: "ticket_api.json", Doc: doc,
	Fields: sim.FieldsOf(defaults),
	Methods: []sim.Method{
		{Name: "close_ticket", Params: sim.Required("ticket_id"), Call: onTicket(closeTicket)},
		{Name: "create_ticket", Params: []sim.Param{
			{Name: "title"}, {Name: "description", Default: pyval.Str("")}, {Name: "priority", Default: pyval.MakeInt(1)},
		}, Call: sim.On(createTicket)},
		{Name: "edit_ticket", Params: sim.Required("ticket_id", "updates"), Call: onTicket(editTicket)},
		{Name: "get_ticket", Params: sim.Required("ticket_id"), Call: onTicket(getTicket)},
		{Name: "get_user_tickets", Params: []sim.Param{{Name: "status", Default: pyval.None}}, Call: sim.On(getUserTickets)},
		{Name: "logout", Call: sim.On(logout)},
		{Name: "resolve_ticket", Params: sim.Required("ticket_id", "resolution"), Call: onTicket(resolveTicket)},
		{Name: "ticket_get_login_status", Call: sim.On(loginStatus)},
		{Name: "ticket_login", Params: sim.Required("username", "password"), Call: sim.On(login)},
	},
	New: load,
}

// An api holds its attributes as the scenario gives them: upstream checks no
// types, so a wrong one raises where it is used.
type api struct{ queue, counter, user pyval.Value }

var defaults = sim.Table(`{"ticket_queue": [], "ticket_counter": 1, "current_user": null}`)

func load(scenario *pyval.Dict, _ *sim.World) (sim.Instance, error) {
	return &api{
		queue:   sim.Default(scenario, defaults, "ticket_queue"),
		counter: sim.Default(scenario, defaults, "ticket_counter"),
		user:    sim.Default(scenario, defaults, "current_user"),
	}, nil
}

var attributes = sim.NewKeys("ticket_queue", "ticket_counter", "current_user")

// State implements sim.Instance.
func (a *api) State() *pyval.Dict { return attributes.Record(a.queue, a.counter, a.user) }

func (a *api) loggedIn() bool { return pyval.Truth(a.user) }

func loginStatus(a *api, _ []pyval.Value) (pyval.Value, error) {
	return sim.Answer("login_status", pyval.Bool(a.loggedIn())), nil
}

// login takes any name with any password.
func login(a *api, args []pyval.Value) (pyval.Value, error) {
	ok := pyval.Truth(args[0]) && pyval.Truth(args[1])
	if ok {
		a.user = args[0]
	}
	return sim.Answer("success", pyval.Bool(ok)), nil
}

func logout(a *api, _ []pyval.Value) (pyval.Value, error) {
	was := a.loggedIn()
	if was {
		a.user = pyval.None
	}
	return sim.Answer("success", pyval.Bool(was)), nil
}
