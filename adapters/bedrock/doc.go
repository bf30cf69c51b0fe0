// Package bedrock asks a model over Amazon Bedrock's Converse protocol, which
// all its chat models speak, with credentials and signatures of the AWS SDK. It is
// empty unless built with the tag bedrock. docs/adapters.md says what is sent and how each
// reply is read.
//
//	bedrock.go   the adapter and the request
//	account.go   regions, credentials and tokens
//	sign.go      signatures, renewed for each attempt
//	reply.go     the reply
package bedrock
