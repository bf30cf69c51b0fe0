// Package catalog describes models by name: the adapter, id, address and
// parameters of each, what a token costs and where the key comes from.
//
//	Catalog     named entries: the user's models.yaml on top of the embedded one
//	Entry       one model
//	Resolve     what -model means: a name, or adapter:id
//	Access      an entry with its address, key and headers from the environment
//	Cost        dollars for tokens, by the rule of package score
//	Secret      a key, which printing does not show
//
// The format of the file is described in docs/models.md. A file never holds a
// key, only the names of environment variables.
package catalog
