package classes_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim/travel"
)

// TestGoldenTravelDocs holds required parameters against the order of the tool
// documents' "required" list, which is upstream's own order: one document
// lists its properties in another.
func TestGoldenTravelDocs(t *testing.T) {
	rows := 0
	testkit.Rows(t, testkit.Shared(t, "bfcl", "v4", "multi_turn_func_doc", "travel_booking.json"), func(line int, doc *pyval.Dict) {
		rows = line
		if line > len(travel.Class.Methods) {
			return
		}
		m := travel.Class.Methods[line-1]
		assert.Equal(t, testkit.Text(doc, "name"), m.Name)
		parameters := testkit.Field(doc, "parameters").(*pyval.Dict)
		required := &pyval.List{}
		for _, p := range m.Params {
			assert.True(t, testkit.Field(parameters, "properties").(*pyval.Dict).Has(p.Name), "%s.%s", m.Name, p.Name)
			if p.Default == nil {
				required.Items = append(required.Items, pyval.Str(p.Name))
			}
		}
		assert.Equal(t, pyval.Repr(testkit.Field(parameters, "required")), pyval.Repr(required), m.Name)
	})
	assert.Len(t, travel.Class.Methods, rows)
}

func TestTravelHostile(t *testing.T) {
	hostile(t, travel.Class,
		`{}`,
		`{"access_token": "a", "token_expires_in": 1, "credit_card_list": {"a": {"balance": 1}}, "booking_record": {"a": {"card_id": "a", "travel_cost": 1}}}`,
		`{"access_token": "a", "token_expires_in": 1, "credit_card_list": {"a": {"balance": []}}, "booking_record": {"a": {"card_id": [], "travel_cost": 1}}, "budget_limit": "x"}`,
		`{"access_token": "a", "token_expires_in": "x", "credit_card_list": {"a": "balance"}, "booking_record": {"a": [1]}, "budget_limit": 5}`,
		`{"access_token": "a", "token_expires_in": [], "credit_card_list": ["a"], "booking_record": ["a"]}`,
		`{"access_token": "a", "credit_card_list": 5, "booking_record": "a", "user_first_name": [], "user_last_name": {}}`,
		`{"access_token": 1, "token_expires_in": 0}`,
	)
}

func FuzzTravelCalls(f *testing.F) {
	const open = `{"access_token": "t", "token_expires_in": 2, "credit_card_list": {"c": {"balance": 5000}}}`
	fuzz(f, travel.Class,
		[2]string{`{}`, "authenticate_travel('a', 'b', 'c', 'd', 'e', 'f')\ntravel_get_login_status()\nverify_traveler_information('e', 'f', '2000-02-30', 'US')"},
		[2]string{open, "book_flight('t', 'c', '2024-1-1', 'SFO', 'LAX', 'first')\nget_booking_history('t')\nset_budget_limit('t', '1_0')\nbook_flight('t', 'c', '', 'SFO', 'LAX', 'first')"},
		[2]string{open, "register_credit_card('t', 'n', 'd', get_all_credit_cards(), 1)\nregister_credit_card('t', 'm', 'd', get_all_credit_cards(), 1)\nget_all_credit_cards()"},
		[2]string{open, "compute_exchange_rate('USD', 'RMB', '5')\ncompute_exchange_rate('JPY', 'USD', 1e308)\nget_flight_cost('SFO', 'LAX', ['1', '²'], 'first')"},
	)
}
