package pycall

type token = uint8

const (
	tError token = iota
	tEnd
	tNewline
	tName
	tNumber
	tString
	tOther // an operator or keyword that is not part of an expression

	tLeftParen
	tRightParen
	tLeftBracket
	tRightBracket
	tLeftBrace
	tRightBrace
	tComma
	tColon
	tDot
	tEllipsis
	tAssign
	tWalrus

	tOr // binary operators follow, loosest first
	tXor
	tAnd
	tLeftShift
	tRightShift
	tPlus
	tMinus
	tStar
	tSlash
	tDoubleSlash
	tPercent
	tAt
	tDoubleStar
	tTilde

	tEqual // comparisons
	tNotEqual
	tLess
	tLessEqual
	tGreater
	tGreaterEqual
	tIs
	tIsNot
	tIn
	tNotIn

	tTrue // keywords
	tFalse
	tNone
	tBoolAnd
	tBoolOr
	tNot
	tIf
	tElse
	tFor
	tAsync
	tAwait
	tLambda
	tYield
	tFrom
)

// spellings are the operators as Python's ast.unparse writes them.
var spellings = [...]string{
	tOr: "|", tXor: "^", tAnd: "&", tLeftShift: "<<", tRightShift: ">>", tPlus: "+", tMinus: "-",
	tStar: "*", tSlash: "/", tDoubleSlash: "//", tPercent: "%", tAt: "@", tDoubleStar: "**",
	tTilde: "~", tNot: "not", tEqual: "==", tNotEqual: "!=", tLess: "<", tLessEqual: "<=",
	tGreater: ">", tGreaterEqual: ">=", tIs: "is", tIsNot: "is not", tIn: "in", tNotIn: "not in",
	tBoolAnd: "and", tBoolOr: "or",
}

func keyword(s string) token {
	switch s {
	case "True":
		return tTrue
	case "False":
		return tFalse
	case "None":
		return tNone
	case "and":
		return tBoolAnd
	case "or":
		return tBoolOr
	case "not":
		return tNot
	case "is":
		return tIs
	case "in":
		return tIn
	case "if":
		return tIf
	case "else":
		return tElse
	case "for":
		return tFor
	case "async":
		return tAsync
	case "await":
		return tAwait
	case "lambda":
		return tLambda
	case "yield":
		return tYield
	case "from":
		return tFrom
	case "as", "assert", "break", "class", "continue", "def", "del", "elif", "except", "finally",
		"global", "import", "nonlocal", "pass", "raise", "return", "try", "while", "with":
		return tOther
	}
	return tName
}

var single = [128]token{
	'(': tLeftParen, ')': tRightParen, '[': tLeftBracket, ']': tRightBracket, '{': tLeftBrace,
	'}': tRightBrace, ',': tComma, ':': tColon, '.': tDot, '=': tAssign, '|': tOr, '^': tXor,
	'&': tAnd, '+': tPlus, '-': tMinus, '*': tStar, '/': tSlash, '%': tPercent, '@': tAt,
	'~': tTilde, '<': tLess, '>': tGreater, ';': tOther,
}

// operatorAt is the longest operator at the start of s.
func operatorAt(s string) (tok token, size int) {
	if s[0] >= 128 {
		return tError, 1
	}
	if len(s) > 2 && s[:3] == "..." {
		return tEllipsis, 3
	}
	if len(s) > 2 && s[2] == '=' && s[0] == s[1] && (s[0] == '*' || s[0] == '/' || s[0] == '<' || s[0] == '>') {
		return tOther, 3
	}
	if len(s) > 1 {
		if tok := double(s[:2]); tok != tError {
			return tok, 2
		}
	}
	return single[s[0]], 1
}

func double(s string) token {
	switch s {
	case "**":
		return tDoubleStar
	case "//":
		return tDoubleSlash
	case "<<":
		return tLeftShift
	case ">>":
		return tRightShift
	case "==":
		return tEqual
	case "!=":
		return tNotEqual
	case "<=":
		return tLessEqual
	case ">=":
		return tGreaterEqual
	case ":=":
		return tWalrus
	case "->", "<>", "+=", "-=", "*=", "/=", "%=", "@=", "&=", "|=", "^=":
		return tOther
	}
	return tError
}
