package classes_test

import (
	"testing"

	"github.com/gobfcl/bfcl/internal/world/sim/ticket"
)

func TestTicketHostile(t *testing.T) {
	hostile(t, ticket.Class,
		`{}`,
		`{"current_user": "u", "ticket_queue": [{"id": 1, "title": "t", "status": "Open", "created_by": "u"}]}`,
		`{"current_user": "u", "ticket_queue": [{"id": "a", "status": 5, "created_by": "u"}, {"id": 1}]}`,
		`{"current_user": ["u"], "ticket_queue": [5], "ticket_counter": "x"}`,
		`{"current_user": 1, "ticket_queue": {"id": 1}, "ticket_counter": null}`,
		`{"current_user": 1, "ticket_queue": null}`,
	)
}

func FuzzTicketCalls(f *testing.F) {
	fuzz(f, ticket.Class,
		[2]string{`{}`, "ticket_login('u', 'p')\ncreate_ticket('t', priority=2)\nresolve_ticket(1, 'r')\nget_user_tickets('resolved')\nlogout()"},
		[2]string{`{"current_user": "u"}`, "create_ticket(title='t')\nedit_ticket(1, {'title': get_ticket(1), 'status': None})\nedit_ticket(1, {'title': get_ticket(1)})\nget_ticket(1)\nedit_ticket(1, {1: 2})"},
		[2]string{`{"current_user": "u", "ticket_queue": [{"id": 1}, 5]}`, "close_ticket(1)\nget_ticket(2)\nget_user_tickets()\ncreate_ticket([], {}, True)"},
	)
}
