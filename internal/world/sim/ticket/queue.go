package ticket

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

var ticketFields = []string{"id", "title", "description", "status", "priority", "created_by"}

func createTicket(a *api, args []pyval.Value) (pyval.Value, error) {
	title, description, priority := args[0], args[1], args[2]
	if !a.loggedIn() {
		return sim.Fail("User not authenticated. Please log in to create a ticket."), nil
	}
	low, err := sim.Less(priority, pyval.MakeInt(1))
	if err != nil {
		return nil, err
	}
	high, err := sim.Greater(priority, pyval.MakeInt(5))
	if err != nil {
		return nil, err
	}
	if low || high {
		return sim.Fail("Invalid priority. Priority must be between 1 and 5."), nil
	}
	ticket := sim.Record(ticketFields, a.counter, title, description, pyval.Str("Open"), priority, a.user)
	if err := sim.Append(a.queue, ticket); err != nil {
		return nil, err
	}
	next, err := sim.Plus(a.counter, pyval.MakeInt(1))
	if err != nil {
		return nil, err
	}
	a.counter = next
	return ticket, nil
}

// find is upstream's _find_ticket: the first ticket with an equal id, or nil.
func (a *api) find(id pyval.Value) (pyval.Value, error) {
	tickets, err := pyval.Iterate(a.queue)
	if err != nil {
		return nil, err
	}
	for _, ticket := range tickets {
		other, err := sim.Entry(ticket, "id")
		if err != nil {
			return nil, err
		}
		if pyval.Equal(other, id) {
			return ticket, nil
		}
	}
	return nil, nil
}

// onTicket makes a method that works on the ticket its first argument names.
func onTicket(f func(ticket pyval.Value, args []pyval.Value) (pyval.Value, error)) func(sim.Instance, []pyval.Value) (pyval.Value, error) {
	return sim.On(func(a *api, args []pyval.Value) (pyval.Value, error) {
		ticket, err := a.find(args[0])
		if err != nil {
			return nil, err
		}
		if ticket == nil {
			return sim.FailOn("Ticket with ID ", args[0], " not found.")
		}
		return f(ticket, args)
	})
}

func getTicket(ticket pyval.Value, _ []pyval.Value) (pyval.Value, error) { return ticket, nil }

func closeTicket(ticket pyval.Value, args []pyval.Value) (pyval.Value, error) {
	moved, err := moveTo(ticket, "Closed")
	if err != nil {
		return nil, err
	}
	if !moved {
		return sim.FailOn("Ticket with ID ", args[0], " is already closed.")
	}
	return done(args[0], "closed")
}

func resolveTicket(ticket pyval.Value, args []pyval.Value) (pyval.Value, error) {
	moved, err := moveTo(ticket, "Resolved")
	if err != nil {
		return nil, err
	}
	if !moved {
		return sim.FailOn("Ticket with ID ", args[0], " is already resolved.")
	}
	if err := sim.SetEntry(ticket, "resolution", args[1]); err != nil {
		return nil, err
	}
	return done(args[0], "resolved")
}

// moveTo gives a ticket a status, unless it has it already.
func moveTo(ticket pyval.Value, status pyval.Str) (moved bool, err error) {
	now, err := sim.Entry(ticket, "status")
	if err != nil || pyval.Equal(now, status) {
		return false, err
	}
	return true, sim.SetEntry(ticket, "status", status)
}

func done(id pyval.Value, what string) (pyval.Value, error) {
	text, err := sim.Around("Ticket ", id, " has been "+what+" successfully.")
	if err != nil {
		return nil, err
	}
	return sim.Answer("status", text), nil
}

// editable are the fields that edit_ticket may change.
var editable = []string{"title", "description", "status", "priority"}

func editTicket(ticket pyval.Value, args []pyval.Value) (pyval.Value, error) {
	updates, err := sim.MustDict(args[1], "keys")
	if err != nil {
		return nil, err
	}
	invalid, err := invalidFields(updates)
	if err != nil {
		return nil, err
	}
	if invalid != nil {
		return sim.Fail("Invalid fields for update: " + strings.Join(invalid, ", ")), nil
	}
	for field, val := range updates.All() {
		if val.Kind() == pyval.KindNone {
			continue
		}
		if err := sim.SetEntry(ticket, pyval.Text(field), val); err != nil {
			return nil, err
		}
	}
	return done(args[0], "updated")
}

// invalidFields are the names that cannot be edited, in the order given:
// upstream's is that of a set, which is random.
func invalidFields(updates *pyval.Dict) ([]string, error) {
	var out []string
	for _, field := range updates.Keys() {
		name, ok := field.(pyval.Str)
		if ok && slices.Contains(editable, string(name)) {
			continue
		}
		if !ok {
			return nil, sim.Raise("TypeError", "sequence item "+strconv.Itoa(len(out))+": expected str instance, "+pyval.TypeName(field)+" found")
		}
		out = append(out, string(name))
	}
	return out, nil
}

func getUserTickets(a *api, args []pyval.Value) (pyval.Value, error) {
	if !a.loggedIn() {
		return pyval.NewList(sim.Fail("User not authenticated. Please log in to view tickets.")), nil
	}
	tickets, err := pyval.Iterate(a.queue)
	if err != nil {
		return nil, err
	}
	own, err := filter(tickets, func(ticket pyval.Value) (bool, error) {
		author, err := sim.Entry(ticket, "created_by")
		return err == nil && pyval.Equal(author, a.user), err
	})
	if err != nil {
		return nil, err
	}
	if pyval.Truth(args[0]) {
		own, err = filter(own, func(ticket pyval.Value) (bool, error) { return hasStatus(ticket, args[0]) })
	}
	return pyval.NewList(own...), err
}

func hasStatus(ticket, status pyval.Value) (bool, error) {
	v, err := sim.Entry(ticket, "status")
	if err != nil {
		return false, err
	}
	now, err := sim.MustText(v, "lower")
	if err != nil {
		return false, err
	}
	want, err := sim.MustText(status, "lower")
	return err == nil && pyval.Lower(now) == pyval.Lower(want), err
}

// filter keeps what f accepts; every item is asked, as upstream's
// comprehensions do, until one fails.
func filter(items []pyval.Value, f func(pyval.Value) (bool, error)) ([]pyval.Value, error) {
	var out []pyval.Value
	for _, item := range items {
		ok, err := f(item)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, item)
		}
	}
	return out, nil
}
