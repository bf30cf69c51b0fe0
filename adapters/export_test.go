package adapters

// Kinds returns the adapters of this build.
func Kinds() []Kind { return list }
