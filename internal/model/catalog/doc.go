// Package catalog describes models by name: the adapter, id, address and
// parameters of each, what a token costs and where the key comes from.
//
//	Catalog     named entries: the embedded models.yaml under the user's own
//	Entry       one model
//	Resolve     what -model means: a name, or adapter:id
//	Access      an entry with its address, key and headers from the environment
//	Cost        dollars for tokens, by the rule of package score
//	Secret      a key, which no way of printing shows
//
// The format of the file is described in docs/models.md. A file never holds a
// key, only the names of environment variables.
package catalog
