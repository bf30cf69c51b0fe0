package classes

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

//go:embed ticket_api.json
var docTicket string

// Ticket is upstream's TicketAPI.
var Ticket = &sim.Class{
	Name: "TicketAPI", DocFile: "ticket_api.json", Doc: docTicket,
	Fields: sim.FieldsOf(defaultsTicket),
	Methods: []sim.Method{
		{Name: "close_ticket", Params: sim.Params("ticket_id"), Call: onTicket(func(ticket pyval.Value, args []pyval.Value) pyval.Value {
			if !moveTo(ticket, "Closed") {
				return sim.Fail("Ticket with ID {} is already closed.", args[0])
			}
			return done(args[0], "closed")
		})},
		{Name: "create_ticket", Params: sim.Params("title", `description=""`, "priority=1"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			if !a.True("current_user") {
				return sim.Fail("User not authenticated. Please log in to create a ticket.")
			}
			low := sim.Is(args[2], "<", 1)
			if sim.Is(args[2], ">", 5) || low {
				return sim.Fail("Invalid priority. Priority must be between 1 and 5.")
			}
			ticket := sim.Answer("id", a.Get("ticket_counter"), "title", args[0], "description", args[1],
				"status", "Open", "priority", args[2], "created_by", a.Get("current_user"))
			sim.Append(a.Get("ticket_queue"), ticket)
			a.Add("ticket_counter", 1)
			return ticket
		})},
		{Name: "edit_ticket", Params: sim.Params("ticket_id", "updates"), Call: onTicket(func(ticket pyval.Value, args []pyval.Value) pyval.Value {
			updates := sim.MustDict(args[1], "keys")
			if invalid := invalidFields(updates); invalid != nil {
				return sim.Fail("Invalid fields for update: " + strings.Join(invalid, ", "))
			}
			for field, val := range updates.All() {
				if val.Kind() != pyval.KindNone {
					sim.Put(ticket, field, val)
				}
			}
			return done(args[0], "updated")
		})},
		{Name: "get_ticket", Params: sim.Params("ticket_id"), Call: onTicket(func(ticket pyval.Value, _ []pyval.Value) pyval.Value { return ticket })},
		{Name: "get_user_tickets", Params: sim.Params("status=null"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			if !a.True("current_user") {
				return pyval.NewList(sim.Fail("User not authenticated. Please log in to view tickets."))
			}
			own := sim.Filter(sim.Items(a.Get("ticket_queue")), func(ticket pyval.Value) bool {
				return pyval.Equal(sim.At(ticket, "created_by"), a.Get("current_user"))
			})
			if !pyval.Truth(args[0]) {
				return own
			}
			return sim.Filter(own.Items, func(ticket pyval.Value) bool {
				return sim.Lower(sim.At(ticket, "status")) == sim.Lower(args[0])
			})
		})},
		{Name: "logout", Call: sim.On(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			was := a.True("current_user")
			if was {
				a.Set("current_user", pyval.None)
			}
			return sim.Answer("success", was)
		})},
		{Name: "resolve_ticket", Params: sim.Params("ticket_id", "resolution"), Call: onTicket(func(ticket pyval.Value, args []pyval.Value) pyval.Value {
			if !moveTo(ticket, "Resolved") {
				return sim.Fail("Ticket with ID {} is already resolved.", args[0])
			}
			sim.Put(ticket, "resolution", args[1])
			return done(args[0], "resolved")
		})},
		{Name: "ticket_get_login_status", Call: sim.On(func(a *sim.Object, _ []pyval.Value) pyval.Value {
			return sim.Answer("login_status", a.True("current_user"))
		})},
		// Takes any name with any password.
		{Name: "ticket_login", Params: sim.Params("username", "password"), Call: sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
			ok := pyval.Truth(args[0]) && pyval.Truth(args[1])
			if ok {
				a.Set("current_user", args[0])
			}
			return sim.Answer("success", ok)
		})},
	},
	New: sim.Load(defaultsTicket, 0),
}

var defaultsTicket = sim.Table(`{"ticket_queue": [], "ticket_counter": 1, "current_user": null}`)

// onTicket makes a method that works on the first ticket with the id that its
// first argument names.
func onTicket(f func(ticket pyval.Value, args []pyval.Value) pyval.Value) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(a *sim.Object, args []pyval.Value) pyval.Value {
		for _, ticket := range sim.Items(a.Get("ticket_queue")) {
			if pyval.Equal(sim.At(ticket, "id"), args[0]) {
				return f(ticket, args)
			}
		}
		return sim.Fail("Ticket with ID {} not found.", args[0])
	})
}

// moveTo gives a ticket a status, unless it has it already.
func moveTo(ticket pyval.Value, status string) (moved bool) {
	if moved = sim.Is(sim.At(ticket, "status"), "!=", status); moved {
		sim.Put(ticket, "status", status)
	}
	return moved
}

func done(id pyval.Value, how string) pyval.Value {
	return sim.Answer("status", sim.Text("Ticket {} has been "+how+" successfully.", id))
}

// editable are the fields that edit_ticket may change.
var editable = []string{"title", "description", "status", "priority"}

// invalidFields are the names that cannot be edited, in the order given:
// upstream's is that of a set, which is random.
func invalidFields(updates *pyval.Dict) (names []string) {
	for field := range updates.All() {
		name, ok := field.(pyval.Str)
		if !ok {
			panic(sim.Raise("TypeError", "sequence item "+strconv.Itoa(len(names))+": expected str instance, "+pyval.TypeName(field)+" found"))
		}
		if !slices.Contains(editable, string(name)) {
			names = append(names, string(name))
		}
	}
	return names
}
