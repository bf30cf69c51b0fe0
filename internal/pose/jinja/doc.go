// Package jinja renders chat templates: the language that models' tokenizers
// carry them in, as Hugging Face's transformers renders it.
//
// It knows what chat templates use of Jinja2: expressions with Python's
// operators, methods and slices, if, for (filtered, recursive, with else,
// break and continue), set, macro, call, filter, with and raw, namespaces,
// filters and tests, whitespace control. Values are pyval's, so that numbers,
// the order of keys, str and repr are Python's. It knows no files: include,
// import, extends and block are refused by name, as they fail in transformers.
//
// A template is a stranger's file. Nesting, steps, values and output are
// bounded, and what goes wrong is an Error with the template's name and line.
package jinja
