package categories

// multiple: several functions, one call to the right one.
var multiple = ast("multiple", nonLive, python)
