package message

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

func listUsers(a *api, _ []pyval.Value) (pyval.Value, error) {
	users, err := sim.MustDict(a.userMap, "keys")
	if err != nil {
		return nil, err
	}
	return sim.Answer("user_list", pyval.NewList(users.Keys()...)), nil
}

func getUserID(a *api, args []pyval.Value) (pyval.Value, error) {
	user := args[0]
	known, err := pyval.Contains(a.userMap, user)
	if err != nil {
		return nil, err
	}
	if !known {
		return sim.FailOn("User '", user, "' not found in the workspace.")
	}
	users, err := sim.MustDict(a.userMap, "get")
	if err != nil {
		return nil, err
	}
	id, _ := users.Get(user)
	return sim.Answer("user_id", id), nil
}

func loginStatus(a *api, _ []pyval.Value) (pyval.Value, error) {
	return sim.Answer("login_status", pyval.Bool(pyval.Truth(a.currentUser))), nil
}

func login(a *api, args []pyval.Value) (pyval.Value, error) {
	id := args[0]
	known, err := a.hasID(id, "get")
	if err != nil {
		return nil, err
	}
	before, after := "User ID '", "' not found."
	if known {
		a.currentUser = id
		before, after = "User '", "' logged in successfully."
	}
	text, err := sim.Around(before, id, after)
	if err != nil {
		return nil, err
	}
	return sim.Record([]string{"login_status", "message"}, pyval.Bool(known), text), nil
}

// hasID reports whether a contact has the id, by Python's ==; upstream reads
// the contacts with the dict's method of that name.
func (a *api) hasID(id pyval.Value, method string) (bool, error) {
	users, err := sim.MustDict(a.userMap, method)
	if err != nil {
		return false, err
	}
	for _, other := range users.All() {
		if pyval.Equal(other, id) {
			return true, nil
		}
	}
	return false, nil
}

// addContact counts before it looks whether the id is free, so that the next
// attempt takes the next id.
func addContact(a *api, args []pyval.Value) (pyval.Value, error) {
	name := args[0]
	known, err := pyval.Contains(a.userMap, name)
	if err != nil {
		return nil, err
	}
	if known {
		return sim.FailOn("User name '", name, "' already exists.")
	}
	id, err := a.nextUserID()
	if err != nil {
		return nil, err
	}
	if taken, err := a.hasID(id, "values"); err != nil || taken {
		return sim.Fail("User ID '" + string(id) + "' already exists."), err
	}
	if err := sim.Set(a.userMap, name, id); err != nil {
		return nil, err
	}
	text, err := sim.Around("Contact '", name, "' added successfully.")
	if err != nil {
		return nil, err
	}
	return sim.Record([]string{"added_status", "user_id", "message"}, pyval.Bool(true), id, text), nil
}

func (a *api) nextUserID() (pyval.Str, error) {
	count, err := sim.Plus(a.userCount, pyval.MakeInt(1))
	if err != nil {
		return "", err
	}
	a.userCount = count
	digits, err := sim.Text(count)
	if err != nil {
		return "", err
	}
	return pyval.Str("USR" + zeroFilled(digits)), nil
}

// zeroFilled is Python's s.zfill(3) of a number's text: zeros go behind the
// sign.
func zeroFilled(s string) string {
	sign := s[:len(s)-len(strings.TrimLeft(s, "-"))]
	return sign + strings.Repeat("0", max(0, 3-len(s))) + s[len(sign):]
}
