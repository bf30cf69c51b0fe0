package message

import (
	"strings"

	"github.com/gobfcl/bfcl/internal/python/pyval"
	"github.com/gobfcl/bfcl/internal/world/sim"
)

// Ids are drawn from here.
const lowestID, highestID = 10000, 99999

func sendMessage(a *api, args []pyval.Value) (pyval.Value, error) {
	receiver, message := args[0], args[1]
	known, err := a.hasID(receiver, "values")
	if err != nil {
		return nil, err
	}
	if !known {
		return sim.FailOn("Receiver ID '", receiver, "' not found.")
	}
	id, err := a.generateID()
	if err != nil {
		return nil, err
	}
	if err := a.store(receiver, message); err != nil {
		return nil, err
	}
	text, err := sim.Around("Message sent to '", receiver, "' successfully.")
	if err != nil {
		return nil, err
	}
	return sim.Record([]string{"sent_status", "message_id", "message"}, pyval.Bool(true), sim.Answer("new_id", id), text), nil
}

// generateID is upstream's _generate_id: it draws until an id is new. If the
// scenario has no set, nothing can be added and the call fails.
func (a *api) generateID() (pyval.Value, error) {
	used, ok := a.generatedIDs.(*pyval.Set)
	if !ok {
		id := pyval.MakeInt(a.random.Int(lowestID, highestID))
		if _, err := pyval.Contains(a.generatedIDs, id); err != nil {
			return nil, err
		}
		return nil, sim.Raise("AttributeError", "'"+pyval.TypeName(a.generatedIDs)+"' object has no attribute 'add'")
	}
	if used.Len() > highestID-lowestID { // upstream draws forever
		return nil, sim.Raise("RuntimeError", "all message ids are taken")
	}
	for {
		id := pyval.MakeInt(a.random.Int(lowestID, highestID))
		if !used.Has(id) {
			return id, used.Add(id)
		}
	}
}

func (a *api) store(receiver, message pyval.Value) error {
	entry := pyval.NewDict(1)
	if err := sim.Set(entry, receiver, message); err != nil {
		return err
	}
	if err := sim.Append(a.inbox, entry); err != nil {
		return err
	}
	count, err := sim.Plus(a.messageCount, pyval.MakeInt(1))
	if err != nil {
		return err
	}
	a.messageCount = count
	return nil
}

// first is the one entry of a message: receiver and text.
func first(message pyval.Value) (receiver, text pyval.Value, err error) {
	d, err := sim.MustDict(message, "items")
	if err != nil {
		return nil, nil, err
	}
	if d.Len() == 0 {
		return nil, nil, sim.Raise("IndexError", "list index out of range")
	}
	receiver, text = d.At(0)
	return receiver, text, nil
}

// eachMessage calls f for the inbox's messages, oldest first, until f fails.
func (a *api) eachMessage(f func(receiver, text pyval.Value) error) error {
	messages, err := pyval.Iterate(a.inbox)
	if err != nil {
		return err
	}
	for _, message := range messages {
		receiver, text, err := first(message)
		if err == nil {
			err = f(receiver, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// deleteMessage looks for the receiver's newest message and then removes the
// oldest one equal to it, as list.remove does.
func deleteMessage(a *api, args []pyval.Value) (pyval.Value, error) {
	id := args[0]
	messages, err := pyval.Iterate(a.inbox)
	if err != nil {
		return nil, err
	}
	for i := len(messages) - 1; i >= 0; i-- {
		receiver, _, err := first(messages[i])
		if err != nil {
			return nil, err
		}
		if !pyval.Equal(receiver, id) {
			continue
		}
		if err := sim.Remove(a.inbox, messages[i]); err != nil {
			return nil, err
		}
		return deleted(id)
	}
	return sim.FailOn("Receiver ID ", id, " not found.")
}

func deleted(id pyval.Value) (pyval.Value, error) {
	text, err := sim.Around("Receiver ", id, "'s latest message deleted successfully.")
	if err != nil {
		return nil, err
	}
	return sim.Record([]string{"deleted_status", "receiver_id", "message"}, pyval.Bool(true), id, text), nil
}

func viewMessagesSent(a *api, _ []pyval.Value) (pyval.Value, error) {
	sent := &pyval.Dict{}
	err := a.eachMessage(func(receiver, text pyval.Value) error {
		if texts, ok := sent.Get(receiver); ok {
			return sim.Append(texts, text)
		}
		return sim.Set(sent, receiver, pyval.NewList(text))
	})
	if err != nil {
		return nil, err
	}
	return sim.Answer("messages", sent), nil
}

func searchMessages(a *api, args []pyval.Value) (pyval.Value, error) {
	keyword, err := lower(args[0])
	if err != nil {
		return nil, err
	}
	found := pyval.NewList()
	err = a.eachMessage(func(receiver, text pyval.Value) error {
		lowered, err := lower(text)
		if err == nil && strings.Contains(lowered, keyword) {
			found.Items = append(found.Items, sim.Record([]string{"receiver_id", "message"}, receiver, text))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return sim.Answer("results", found), nil
}

func lower(v pyval.Value) (string, error) {
	text, err := sim.MustText(v, "lower")
	return pyval.Lower(text), err
}

func getMessageStats(a *api, _ []pyval.Value) (pyval.Value, error) {
	received, contacts := int64(0), &pyval.Set{}
	err := a.eachMessage(func(receiver, _ pyval.Value) error {
		received++
		return contacts.Add(receiver)
	})
	if err != nil {
		return nil, err
	}
	return sim.Answer("stats", sim.Record([]string{"received_count", "total_contacts"},
		pyval.MakeInt(received), pyval.MakeInt(int64(contacts.Len())))), nil
}
