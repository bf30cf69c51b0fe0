package option

import "flag"

// Args returns the options as arguments of a test or a command, without those at
// their default, and with each header's value.
func (o *Options) Args() []string {
	var copied Options
	set := flag.NewFlagSet("", flag.ContinueOnError)
	copied.Register(set)
	defaults := map[string]string{}
	set.VisitAll(func(f *flag.Flag) { defaults[f.Name] = f.Value.String() })
	copied = *o
	var args []string
	set.VisitAll(func(f *flag.Flag) {
		switch value := f.Value.String(); {
		case f.Name == "header":
			for _, header := range o.Headers {
				args = append(args, "-header="+header)
			}
		case value != defaults[f.Name]:
			args = append(args, "-"+f.Name+"="+value)
		}
	})
	return args
}
