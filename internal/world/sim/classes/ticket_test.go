package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/test/simtest"
	"github.com/gobfcl/bfcl/internal/world/sim/ticket"
)

const raised = "Error during execution: "

func TestTicketCreate(t *testing.T) {
	invalid := `{"error": "Invalid priority. Priority must be between 1 and 5."}`
	simtest.Script(t, ticket.Class, `{"current_user": "u", "ticket_counter": 7}`,
		simtest.Step{Call: "create_ticket('t', priority=0.99)", Want: invalid},
		simtest.Step{Call: "create_ticket('t', priority=5.01)", Want: invalid},
		simtest.Step{Call: "create_ticket('t', priority=False)", Want: invalid},
		simtest.Step{Call: "create_ticket('t', priority=None)", Want: raised + "'<' not supported between instances of 'NoneType' and 'int'"},
		simtest.Step{Call: "create_ticket('t', 'd', True)", Want: `{"id": 7, "title": "t", "description": "d", "status": "Open", "priority": true, "created_by": "u"}`},
		simtest.Step{Call: "create_ticket(None)", Want: `{"id": 8, "title": null, "description": "", "status": "Open", "priority": 1, "created_by": "u"}`},
	)
}

func TestTicketStatus(t *testing.T) {
	simtest.Script(t, ticket.Class, `{"ticket_queue": [{"id": 1.0, "status": "Open"}, {"id": 1, "status": "Closed"}, {"id": "x"}]}`,
		simtest.Step{Call: "close_ticket(True)", Want: `{"status": "Ticket True has been closed successfully."}`},
		simtest.Step{Call: "close_ticket(1)", Want: `{"error": "Ticket with ID 1 is already closed."}`},
		simtest.Step{Call: "resolve_ticket(1, None)", Want: `{"status": "Ticket 1 has been resolved successfully."}`},
		simtest.Step{Call: "get_ticket(1)", Want: `{"id": 1.0, "status": "Resolved", "resolution": null}`},
		simtest.Step{Call: "close_ticket(1)", Want: `{"status": "Ticket 1 has been closed successfully."}`},
		simtest.Step{Call: "resolve_ticket('x', 'r')", Want: raised + "'status'"},
		simtest.Step{Call: "get_ticket(2)", Want: `{"error": "Ticket with ID 2 not found."}`},
	)
}

func TestTicketEdit(t *testing.T) {
	simtest.Script(t, ticket.Class, `{"ticket_queue": [{"id": 1}]}`,
		simtest.Step{Call: "edit_ticket(1, {'id': 2, 'title': 'x'})", Want: `{"error": "Invalid fields for update: id"}`},
		simtest.Step{Call: "edit_ticket(1, {5: 2, 'title': 'x'})", Want: raised + "sequence item 0: expected str instance, int found"},
		simtest.Step{Call: "edit_ticket(1, [])", Want: raised + "'list' object has no attribute 'keys'"},
		simtest.Step{Call: "edit_ticket(2, [])", Want: `{"error": "Ticket with ID 2 not found."}`},
		simtest.Step{Call: "edit_ticket(1, {'title': '', 'status': None, 'priority': 9})", Want: `{"status": "Ticket 1 has been updated successfully."}`},
		simtest.Step{Call: "get_ticket(1)", Want: `{"id": 1, "title": "", "priority": 9}`},
	)
}

func TestTicketOwnTickets(t *testing.T) {
	simtest.Script(t, ticket.Class, `{"ticket_queue": [{"created_by": "u", "status": "OPEN"}, {"created_by": "v"}]}`,
		simtest.Step{Call: "get_user_tickets()", Want: `[{'error': 'User not authenticated. Please log in to view tickets.'}]`},
		simtest.Step{Call: "ticket_login('u', '')", Want: `{"success": false}`},
		simtest.Step{Call: "ticket_login('u', 1)", Want: `{"success": true}`},
		simtest.Step{Call: "get_user_tickets('open')", Want: `[{'created_by': 'u', 'status': 'OPEN'}]`},
		simtest.Step{Call: "get_user_tickets('')", Want: `[{'created_by': 'u', 'status': 'OPEN'}]`},
		simtest.Step{Call: "get_user_tickets(['open'])", Want: raised + "'list' object has no attribute 'lower'"},
		simtest.Step{Call: "logout()", Want: `{"success": true}`},
		simtest.Step{Call: "ticket_login('v', 'p')", Want: `{"success": true}`},
		simtest.Step{Call: "get_user_tickets('open')", Want: raised + "'status'"},
		simtest.Step{Call: "get_ticket(1)", Want: raised + "'id'"},
	)
}

func TestTicketOddQueue(t *testing.T) {
	for _, row := range []struct{ queue, call, want string }{
		{`null`, "get_ticket(1)", "'NoneType' object is not iterable"},
		{`[5]`, "get_ticket(1)", "'int' object is not subscriptable"},
		{`["x"]`, "get_user_tickets()", "string indices must be integers, not 'str'"},
		{`{}`, "create_ticket('t')", "'dict' object has no attribute 'append'"},
	} {
		simtest.Script(t, ticket.Class, `{"current_user": "u", "ticket_queue": `+row.queue+`}`,
			simtest.Step{Call: row.call, Want: raised + row.want})
	}
}

func BenchmarkTicketTurn(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		env := simtest.Open(b, ticket.Class, `{"current_user": "u"}`, nil)
		env.Execute([]string{"create_ticket(title='no light', priority=3)", "get_user_tickets(status='open')"})
	}
}
