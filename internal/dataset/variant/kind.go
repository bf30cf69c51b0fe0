package variant

import "github.com/gobfcl/bfcl/internal/eval"

// A Shape groups the categories for which the same variants keep the right
// answers.
type Shape string

// The shapes.
const (
	Single       Shape = "one turn"
	Executable   Shape = "executable"
	Conversation Shape = "conversation"
	Web          Shape = "web search"
	Memory       Shape = "memory"
	Formats      Shape = "format sensitivity"
)

// Shapes returns all shapes, in the order in which they are shown.
func Shapes() []Shape { return []Shape{Single, Executable, Conversation, Web, Memory, Formats} }

// ShapeOf returns the shape of a category.
func ShapeOf(cat *eval.Category) Shape {
	switch {
	case cat.Rule == eval.Varied:
		return Formats
	case cat.Memory != "":
		return Memory
	case cat.Web:
		return Web
	case cat.MultiTurn():
		return Conversation
	case cat.Executes:
		return Executable
	}
	return Single
}

// Reasons why a variant is not for a shape.
const (
	expressions = "arguments may be expressions, and the names in them are evaluated"
	nulls       = "a null would reach the code that executes the call"
	asText      = "documents are also written as Python or XML text, which has no $defs or anyOf"
	partsOfIt   = "earlier turns would be part of the conversation"
	aboutPeople = "the question is about the user, and small talk also says something about the user"
	anySentence = "any sentence may say what a call does to the state"
	ownTools    = "its own cases already test tools that come later"
	inOneTurn   = "tools are called between the question and the answer, in one turn"
	madeAgain   = "asking a turn again would repeat its calls"
	oneLanguage = "its turns are in one language only"
)

// kinds are the variants. Not names the shapes whose answers a variant may not
// keep exactly: their cases are left out, and counted.
var kinds = []Kind{
	{
		Name: "order", About: "tools, parameters and required lists in another order",
		Tools: true, vary: (*maker).order,
	},
	{
		Name: "names", About: "functions and parameters renamed with other words",
		Not:   map[Shape]string{Executable: expressions},
		Tools: true, Renames: true, vary: (*maker).names,
	},
	{
		Name: "opaque", About: "functions and parameters under meaningless names",
		Not:   map[Shape]string{Executable: expressions},
		Tools: true, Renames: true, vary: (*maker).opaque,
	},
	{
		Name: "distractors", About: "tools of other cases added to the case's own",
		Counts: true, Tools: true, vary: (*maker).distractors,
	},
	{
		Name: "schema", About: "the same schema as frameworks write it: $defs, anyOf with null, const",
		Not:       map[Shape]string{Executable: nulls, Conversation: nulls, Web: nulls, Memory: nulls, Formats: asText},
		Languages: []eval.Language{eval.Python}, Tools: true, vary: (*maker).schema,
	},
	{
		Name: "terse", About: "descriptions cut to their first sentence",
		Not:   map[Shape]string{Conversation: anySentence, Web: anySentence, Memory: anySentence},
		Tools: true, vary: (*maker).terse,
	},
	{
		Name: "verbose", About: "filler sentences added to descriptions",
		Tools: true, vary: (*maker).verbose,
	},
	{
		Name: "noise", About: "a page of system prompt, earlier turns, and words around the question",
		Not:  map[Shape]string{Conversation: partsOfIt, Web: partsOfIt, Memory: aboutPeople},
		vary: (*maker).noise,
	},
	{
		Name: "language", About: "the question in another language, if the dataset has it",
		Not:  map[Shape]string{Conversation: oneLanguage},
		vary: (*maker).language,
	},
	{
		Name: "late", About: "the tools arrive after the question",
		Not:  map[Shape]string{Conversation: ownTools, Web: inOneTurn, Memory: inOneTurn},
		vary: (*maker).late,
	},
	{
		Name: "twice", About: "the same question again after an answer that did nothing",
		Not:  map[Shape]string{Conversation: madeAgain, Web: inOneTurn, Memory: inOneTurn},
		vary: (*maker).twice,
	},
}
