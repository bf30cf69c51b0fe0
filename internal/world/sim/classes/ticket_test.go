package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/world/sim/ticket"
)

const raised = "Error during execution: "

func TestTicketCreate(t *testing.T) {
	invalid := `{"error": "Invalid priority. Priority must be between 1 and 5."}`
	script(t, ticket.Class, `{"current_user": "u", "ticket_counter": 7}`,
		step{"create_ticket('t', priority=0.99)", invalid},
		step{"create_ticket('t', priority=5.01)", invalid},
		step{"create_ticket('t', priority=False)", invalid},
		step{"create_ticket('t', priority=None)", raised + "'<' not supported between instances of 'NoneType' and 'int'"},
		step{"create_ticket('t', 'd', True)", `{"id": 7, "title": "t", "description": "d", "status": "Open", "priority": true, "created_by": "u"}`},
		step{"create_ticket(None)", `{"id": 8, "title": null, "description": "", "status": "Open", "priority": 1, "created_by": "u"}`},
	)
}

func TestTicketStatus(t *testing.T) {
	script(t, ticket.Class, `{"ticket_queue": [{"id": 1.0, "status": "Open"}, {"id": 1, "status": "Closed"}, {"id": "x"}]}`,
		step{"close_ticket(True)", `{"status": "Ticket True has been closed successfully."}`},
		step{"close_ticket(1)", `{"error": "Ticket with ID 1 is already closed."}`},
		step{"resolve_ticket(1, None)", `{"status": "Ticket 1 has been resolved successfully."}`},
		step{"get_ticket(1)", `{"id": 1.0, "status": "Resolved", "resolution": null}`},
		step{"close_ticket(1)", `{"status": "Ticket 1 has been closed successfully."}`},
		step{"resolve_ticket('x', 'r')", raised + "'status'"},
		step{"get_ticket(2)", `{"error": "Ticket with ID 2 not found."}`},
	)
}

func TestTicketEdit(t *testing.T) {
	script(t, ticket.Class, `{"ticket_queue": [{"id": 1}]}`,
		step{"edit_ticket(1, {'id': 2, 'title': 'x'})", `{"error": "Invalid fields for update: id"}`},
		step{"edit_ticket(1, {5: 2, 'title': 'x'})", raised + "sequence item 0: expected str instance, int found"},
		step{"edit_ticket(1, [])", raised + "'list' object has no attribute 'keys'"},
		step{"edit_ticket(2, [])", `{"error": "Ticket with ID 2 not found."}`},
		step{"edit_ticket(1, {'title': '', 'status': None, 'priority': 9})", `{"status": "Ticket 1 has been updated successfully."}`},
		step{"get_ticket(1)", `{"id": 1, "title": "", "priority": 9}`},
	)
}

func TestTicketOwnTickets(t *testing.T) {
	script(t, ticket.Class, `{"ticket_queue": [{"created_by": "u", "status": "OPEN"}, {"created_by": "v"}]}`,
		step{"get_user_tickets()", `[{'error': 'User not authenticated. Please log in to view tickets.'}]`},
		step{"ticket_login('u', '')", `{"success": false}`},
		step{"ticket_login('u', 1)", `{"success": true}`},
		step{"get_user_tickets('open')", `[{'created_by': 'u', 'status': 'OPEN'}]`},
		step{"get_user_tickets('')", `[{'created_by': 'u', 'status': 'OPEN'}]`},
		step{"get_user_tickets(['open'])", raised + "'list' object has no attribute 'lower'"},
		step{"logout()", `{"success": true}`},
		step{"ticket_login('v', 'p')", `{"success": true}`},
		step{"get_user_tickets('open')", raised + "'status'"},
		step{"get_ticket(1)", raised + "'id'"},
	)
}

func TestTicketOddQueue(t *testing.T) {
	for _, row := range []struct{ queue, call, want string }{
		{`null`, "get_ticket(1)", "'NoneType' object is not iterable"},
		{`[5]`, "get_ticket(1)", "'int' object is not subscriptable"},
		{`["x"]`, "get_user_tickets()", "string indices must be integers, not 'str'"},
		{`{}`, "create_ticket('t')", "'dict' object has no attribute 'append'"},
	} {
		script(t, ticket.Class, `{"current_user": "u", "ticket_queue": `+row.queue+`}`,
			step{row.call, raised + row.want})
	}
}

func BenchmarkTicketTurn(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		env := open(b, ticket.Class, `{"current_user": "u"}`, nil)
		env.Execute([]string{"create_ticket(title='no light', priority=3)", "get_user_tickets(status='open')"})
	}
}
