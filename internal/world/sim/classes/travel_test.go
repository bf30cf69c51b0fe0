package classes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/gobfcl/bfcl/internal/test/testkit"
	"github.com/gobfcl/bfcl/internal/world/sim"
	"github.com/gobfcl/bfcl/internal/world/sim/travel"
)

const travelOpen = `{"access_token": "t", "token_expires_in": 2, "user_first_name": "Al", "user_last_name": "Bo",
		"credit_card_list": {"c": {"balance": 500}}, "booking_record": {}}`

func TestTravelCosts(t *testing.T) {
	script(t, travel.Class, travelOpen,
		step{"get_flight_cost('LAX', 'HND', '2024-01-02', 'first')", `{"travel_cost_list": [2150.0]}`},
		step{"get_flight_cost('LAX', 'HND', ['13', 'x', '1'], 'economy')", `{"travel_cost_list": [860.0]}`},
		step{"get_flight_cost('LAX', 'HND', [1], 'economy')", raised + "'int' object has no attribute 'isdigit'"},
		step{"get_flight_cost('LAX', ['HND'], '', 'economy')", raised + "unhashable type: 'list'"},
		step{"get_flight_cost('LAX', None, '', 'economy')", raised + "No available route for the given airports."},
		step{"compute_exchange_rate('USD', 'BRL', 3)", `{"exchanged_value": 11.399999999999999}`},
		step{"compute_exchange_rate('BRL', 'USD', True)", `{"exchanged_value": 0.26}`},
		step{"compute_exchange_rate('USD', 'JPY', None)", raised + "unsupported operand type(s) for *: 'NoneType' and 'int'"},
		step{"compute_exchange_rate('USD', 'RMB', [1])", raised + "float() argument must be a string or a real number, not 'list'"},
	)
}

func TestTravelBooking(t *testing.T) {
	script(t, travel.Class, travelOpen,
		step{"book_flight('t', 'c', '2024-01-02', 'SFO', 'LAX', 'economy')", `{"booking_id": "3426812", "transaction_id": "45451592", "booking_status": true, "booking_history": {}}`},
		step{"book_flight('t', 'c', '2024-01-02', 'SFO', 'LAX', 'first')", `{"booking_status": false, "error": "Insufficient funds"}`},
		step{"book_flight('t', 'c', '2024-01-02', 'SFO', [1], 'first')", `{"booking_status": false, "error": "Invalid destination airport code: [1]"}`},
		step{"purchase_insurance('t', 'x', '3426812', 900, 'c')", `{"insurance_id": "498276044", "insurance_status": true}`},
		step{"get_credit_card_balance('t', 'c')", `{"card_balance": -600.0}`},
		step{"cancel_booking('t', '3426812')", `{"cancel_status": true}`},
		step{"get_all_credit_cards()", `{"credit_card_list": {"c": {"balance": -400.0}}}`},
		step{"get_booking_history('t')", `{"booking_history": {}}`},
	)
}

// TestTravelAge: the day travellers must be of age by is fixed, so that a verdict
// does not change with the day it is made on.
func TestTravelAge(t *testing.T) {
	const call, young = "verify_traveler_information('Al', 'Bo', '%s', 'US')",
		`{"verification_status": false, "verification_failure": "Traveler must be at least 18 years old."}`
	env := open(t, travel.Class, travelOpen, nil)
	for born, want := range map[string]string{
		"2007-7-15":  `{"verification_status": true}`,
		"2007-07-16": young,
		"9999-12-31": young,
		"0001-01-01": `{"verification_status": true}`,
	} {
		assert.Equal(t, want, env.Call(fmt.Sprintf(call, born)).Text, born)
	}
}

// TestTravelSharedCards: the long-context cards are the same objects on both sides
// of a case, as upstream has them, and not in other cases.
func TestTravelSharedCards(t *testing.T) {
	long := longContext(t)
	const card = "9978997699789976"
	side := func(world *sim.World) *sim.Env {
		env, err := sim.NewLibrary(travel.Class).Open(sim.Setup{
			Model: "m", Entry: "multi_turn_long_context_0", Involved: []string{"TravelAPI"}, World: world,
		})
		require.NoError(t, err)
		return env
	}
	world := sim.NewWorld(long)
	model, reference, other := side(world), side(world), side(sim.NewWorld(long))
	booked := model.Call("book_flight(None, '" + card + "', '2024-01-02', 'SFO', 'BOS', 'economy')")
	require.Nil(t, booked.Raised)
	balance := "get_credit_card_balance(None, '" + card + "')"
	assert.Equal(t, model.Call(balance).Text, reference.Call(balance).Text)
	assert.NotEqual(t, model.Call(balance).Text, other.Call(balance).Text)
	assert.Equal(t, other.Call(balance).Text, side(sim.NewWorld(long)).Call(balance).Text)
}

// TestTravelNestedCards: where upstream would put the list of cards into itself,
// the list stays finite, and repeating it ends in an error.
func TestTravelNestedCards(t *testing.T) {
	env := open(t, travel.Class, travelOpen, nil)
	for i := range 64 {
		env.Call(fmt.Sprintf("register_credit_card('t', '%d', 'd', get_all_credit_cards(), 1)", i))
	}
	instance, _ := env.Instance("TravelAPI")
	assert.NotNil(t, instance.State())
	assert.Contains(t, env.Call("register_credit_card('t', 'x', 'd', get_all_credit_cards(), 1)").Text, "memory")
}

func TestTravelHugeText(t *testing.T) {
	env := open(t, travel.Class, travelOpen, nil)
	text := strings.Repeat("7", 1<<18)
	got := env.Call("compute_exchange_rate('USD', 'JPY', '" + text + "')")
	assert.Less(t, len(got.Text), 200)
}
