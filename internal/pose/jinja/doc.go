// Package jinja renders chat templates in the language in which models'
// tokenizers have them, as Hugging Face's transformers does.
//
// It supports what chat templates use of Jinja2: expressions with Python's
// operators, methods and slices, if, for (filtered, recursive, with else, break
// and continue), set, macro, call, filter, with and raw, namespaces, filters
// and tests, whitespace control. Values are those of package pyval, so numbers,
// the order of keys, str and repr are Python's. There are no files: include,
// import, extends and block are refused by name; they fail in transformers,
// too.
//
// Templates are not trusted. Nesting, steps, values and output are bounded, and
// every failure is an Error with the template's name and line.
package jinja
