package javacall

// A word is a keyword. A keyword counts as one only where the grammar expects
// it; everywhere else it is an identifier, so `f(default=1)` names a parameter
// "default".
type word uint8

const (
	wNone word = iota
	wNew
	wSwitch
	wSuper
	wThis
	wTrue
	wFalse
	wNull
	wPrimitive
	wAssert
	wBreak
	wContinue
	wDo
	wFor
	wIf
	wReturn
	wThrow
	wTry
	wWhile
	wImport
	wPackage
	wClass
	wInterface
	wEnum
	wModifier
	wStatic
	wFinal
	wDefault
	wSynchronized
	wSealed
	wOpen
	wModule
	wRecord
	wWith
	wYield
	wElse
	wCatch
	wFinally
	wCase
	wWhen
	wInstanceof
	wExtends
	wImplements
	wPermits
	wThrows
)

var words = map[string]word{
	"new": wNew, "switch": wSwitch, "super": wSuper, "this": wThis, "true": wTrue, "false": wFalse, "null": wNull,
	"byte": wPrimitive, "short": wPrimitive, "int": wPrimitive, "long": wPrimitive, "char": wPrimitive,
	"float": wPrimitive, "double": wPrimitive, "boolean": wPrimitive, "void": wPrimitive,
	"assert": wAssert, "break": wBreak, "continue": wContinue, "do": wDo, "for": wFor, "if": wIf,
	"return": wReturn, "throw": wThrow, "try": wTry, "while": wWhile, "import": wImport, "package": wPackage,
	"class": wClass, "interface": wInterface, "enum": wEnum, "public": wModifier, "protected": wModifier,
	"private": wModifier, "abstract": wModifier, "strictfp": wModifier, "native": wModifier,
	"transient": wModifier, "volatile": wModifier, "static": wStatic, "final": wFinal, "default": wDefault,
	"synchronized": wSynchronized, "sealed": wSealed, "open": wOpen, "module": wModule, "record": wRecord,
	"with": wWith, "yield": wYield, "else": wElse, "catch": wCatch, "finally": wFinally, "case": wCase,
	"when": wWhen, "instanceof": wInstanceof, "extends": wExtends, "implements": wImplements,
	"permits": wPermits, "throws": wThrows,
}

// lengths has, for each first letter of a keyword, the lengths of the keywords
// that begin with it, as bits.
var lengths = func() (bits [128]uint32) {
	for text := range words {
		bits[text[0]] |= 1 << len(text)
	}
	return bits
}()

// keyword returns the keyword that a text is, or wNone.
func keyword(text string) word {
	if text[0] >= 128 || lengths[text[0]]>>min(len(text), 31)&1 == 0 {
		return wNone
	}
	return words[text]
}

// words64 is a set of words.
type words64 uint64

func setOf(ws ...word) words64 {
	var s words64
	for _, w := range ws {
		s |= 1 << w
	}
	return s
}

func (s words64) has(w word) bool { return s&(1<<w) != 0 }

var (
	// inExpression are the keywords that may begin an expression.
	inExpression = setOf(wNew, wSwitch, wSuper, wThis, wTrue, wFalse, wNull, wPrimitive)
	modifiers    = setOf(wModifier, wStatic, wFinal, wDefault, wSynchronized, wSealed)
	// inStatement are the keywords that may begin a statement, besides those
	// of expressions; the words that are also identifiers are left out.
	inStatement = inExpression | modifiers&^setOf(wSealed) |
		setOf(wAssert, wBreak, wContinue, wDo, wFor, wIf, wReturn, wThrow, wTry, wWhile, wImport, wPackage,
			wClass, wInterface, wEnum)
	// reserved are keywords that the grammar also takes for identifiers, but
	// never for types.
	reserved = setOf(wOpen, wModule, wRecord, wWith, wYield, wSealed)
	afterDot = setOf(wNew, wSuper, wThis)
	constant = setOf(wTrue, wFalse, wNull, wThis, wSuper)
)
