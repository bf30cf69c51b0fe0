package variant

import (
	"slices"

	"github.com/gobfcl/bfcl/internal/eval"
)

// noise puts a long system prompt and two earlier turns before the question,
// and words around it.
func (m *maker) noise() string {
	if m.lastQuestion() < 0 {
		return noQuestion
	}
	d := m.draw()
	first, second := d.below(len(smallTalk)), d.below(len(smallTalk)-1)
	if second >= first {
		second++
	}
	before, after := openings[d.below(len(openings))], closings[d.below(len(closings))]
	m.pose = append(m.pose, func(c *eval.Case) {
		turn := slices.Clone(c.Turns[0])
		at := m.lastQuestion()
		turn[at].Content = before + "\n\n" + turn[at].Content + "\n\n" + after
		system := eval.Message{Role: "system", Content: page}
		if turn[0].Role == "system" {
			system.Content += "\n\n" + turn[0].Content
			turn = turn[1:]
		}
		all := []eval.Message{system}
		all = append(all, smallTalk[first][:]...)
		all = append(all, smallTalk[second][:]...)
		c.Turns = [][]eval.Message{append(all, turn...)}
	})
	return ""
}

// late shows the tools after the question, which is not asked again.
func (m *maker) late() string {
	switch {
	case m.lastQuestion() < 0:
		return noQuestion
	case len(m.c.Tools) == 0:
		return noTools
	case m.c.Turns[0][0].Role == "system":
		return "its own system message speaks of tools that are not there yet"
	}
	m.variation.LateTools = true
	m.pose = append(m.pose, func(c *eval.Case) {
		c.Turns = [][]eval.Message{append(slices.Clone(c.Turns[0]),
			eval.Message{Role: "assistant", Content: "I do not have any functions that I could call for this yet. Once I do, I can look at your request again."},
			eval.Message{Role: "user", Content: "You have functions now. Please handle my request with them, as far as they are suited to it."})}
	})
	return ""
}

// twice asks the question again after an answer that did nothing.
func (m *maker) twice() string {
	at := m.lastQuestion()
	if at < 0 {
		return noQuestion
	}
	m.pose = append(m.pose, func(c *eval.Case) {
		c.Turns = [][]eval.Message{append(slices.Clone(c.Turns[0]),
			eval.Message{Role: "assistant", Content: "I am sorry, I was interrupted before I could do anything. Please say it once more."},
			c.Turns[0][at])}
	})
	return ""
}

const noQuestion = "it is not a single turn that ends with a question"

// lastQuestion returns the position of the user's message that ends the first
// turn; negative if another message ends it, or if there are more turns.
func (m *maker) lastQuestion() int {
	if len(m.c.Turns) != 1 || len(m.c.Turns[0]) == 0 {
		return -1
	}
	last := len(m.c.Turns[0]) - 1
	if m.c.Turns[0][last].Role != "user" {
		return -1
	}
	return last
}

// smallTalk are earlier turns that are unrelated to any question.
var smallTalk = [][2]eval.Message{
	talk("Good morning! Just checking that the line works.", "Good morning! I can read you fine."),
	talk("One moment, I have to let the cat out.", "Of course, take your time."),
	talk("Sorry for the pause, someone was at the door.", "No problem at all, I am here."),
	talk("Is this the right place for requests?", "Yes, it is. Tell me when you are ready."),
	talk("I like the new look of this page.", "Thank you, that is kind of you to say."),
	talk("My keyboard is a bit sticky today, please excuse any typos.", "Of course, do not worry about it."),
	talk("Thanks for the help the other day.", "You are welcome, I am glad that it helped."),
	talk("Let me get my coffee first.", "Enjoy it. I will wait for you."),
}

func talk(user, assistant string) [2]eval.Message {
	return [2]eval.Message{{Role: "user", Content: user}, {Role: "assistant", Content: assistant}}
}

var (
	openings = []string{
		"Alright, here is what I came for.",
		"Now to my actual request.",
		"So, this is what I would like to ask.",
		"Okay, I am ready. Here it comes.",
	}
	closings = []string{
		"Thank you in advance!",
		"That is all for now, thanks.",
		"Many thanks for your effort.",
		"I appreciate your help.",
	}
)

// page is a system prompt as long as those of products, without instructions
// that affect calls.
const page = `You are the assistant of a large service portal. People from many walks of life write to you.

About the portal
The portal has been online for many years and is maintained by a small team. It started as a mailing list, became a web page, and is now an application for several platforms. Its colours were chosen by vote. The team meets on weekdays and publishes a letter to its readers four times a year. Letters of earlier years are kept in an archive.

About tone
Be polite and friendly. Write plain language. Address people as they address you. Humour is welcome if it fits. Do not lecture anyone. If someone is upset, stay calm.

About style
Prefer short sentences. Avoid jargon. Use the spelling that the person uses. Headings are rarely needed. Use emphasis sparingly. Lists are fine where they help the eye.

About the house
The office has two floors and a garden with an apple tree. Visitors are received at the front desk. The canteen offers a warm meal at noon. Bicycles can be left in the yard. Lost property is kept at the desk until someone asks for it.

About the archive
Old letters, pictures of summer parties and the drafts of the first logo are kept in the archive. It can be visited by appointment. The archivist is always glad to get photographs of the early days and has a story about each of them.

About confidentiality
Treat what people tell you with care. Do not talk about one person to another. Do not speculate about people who are not there.

About this text
This text is the same for all conversations. It describes the surroundings in which you work and does not refer to any particular request. Requests are handled on their own merits, as always.`
