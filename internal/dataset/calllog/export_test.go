package calllog

// ReadCarrying is Read with another limit of what responses continue.
var ReadCarrying = read
