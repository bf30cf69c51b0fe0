package fetch

import "github.com/gobfcl/bfcl/internal/pose/prompt"

// The places of upstream's Python sources, below the leaderboard's folder.
const (
	constants   = "bfcl_eval/constants/"
	simulators  = "bfcl_eval/eval_checker/multi_turn_eval/func_source_code/"
	utilsFile   = "bfcl_eval/utils.py"
	handlerFile = "bfcl_eval/model_handler/utils.py"
)

// A section is a part of prompts.json, in its order.
type section struct {
	key string
	// note names the origin of the section in upstream; "" for none.
	note string
	// file is the source; anything it does not have is looked for in the
	// others.
	file string
	// names are the constants that the section has, each under its name.
	names []string
	// whole is the only constant if it makes up the whole section; names is
	// then empty.
	whole string
	// texts are the section's texts out of functions.
	texts []text
	// made returns the section if it is neither in a file nor in a constant.
	made func() []string
}

// A text is in a function of upstream's. It is found by the SHA-256 of its
// shape; see pyliteral.Fingerprint.
type text struct {
	key, shape string
	// fields are names for the values of an f-string, in order.
	fields []string
	// file is the source if it is not the section's.
	file string
}

// sourceNote is the first line of prompts.json; %s is the commit.
const sourceNote = `bfcl_eval/constants/default_prompts.py at upstream commit %s; each key under "default_prompts" is the upstream constant's name`

// prompts says how prompts.json is made from upstream's sources.
var prompts = []section{
	{key: "default_prompts", file: constants + "default_prompts.py", names: []string{
		"MAXIMUM_STEP_LIMIT", "OUTPUT_FORMAT_MAPPING", "PARAM_TYPE_MAPPING", "PROMPT_STYLE_TEMPLATES",
		"_PLAINTEXT_SYSTEM_PROMPT_TEMPLATE", "_MARKDOWN_SYSTEM_PROMPT_TEMPLATE", "PROMPT_TEMPLATE_MAPPING",
		"DEFAULT_SYSTEM_PROMPT_FORMAT", "_DEFAULT_SYSTEM_PROMPT", "DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_FC",
		"DEFAULT_USER_PROMPT_FOR_ADDITIONAL_FUNCTION_PROMPTING", "ADDITIONAL_SYSTEM_PROMPT_FOR_AGENTIC_RESPONSE_FORMAT",
		"MEMORY_AGENT_SETTINGS", "MEMORY_BACKEND_INSTRUCTION_CORE_ARCHIVAL", "MEMORY_BACKEND_INSTRUCTION_UNIFIED",
	}},
	{key: "language_specific_hint", file: utilsFile,
		note: `bfcl_eval/utils.py, _get_language_specific_hint(test_category): appended (leading space included) to every function description`,
		texts: []text{
			{key: "java", shape: "0fb6f520f117d63a8a7a6b9caea68af8d4db71095096b63fba23d1ec4ad7ccd7"},
			{key: "javascript", shape: "d33263287aa6a8fa1421ad979733c18753bab7ab1cf8cdbbdfa3c4a4e0a8d3d5"},
			{key: "python", shape: "bf370b8d60ed55f2344f877d9b7446b10e2630656b05f587fcc537006fd71676"},
		}},
	{key: "parameter_hint", file: utilsFile,
		note: `bfcl_eval/utils.py, _func_doc_language_specific_pre_processing: appended (leading space included) to top-level parameter descriptions for Java and JavaScript; after that the parameter's type becomes "string". {type} = the parameter's original type, {items_type} = its items.type, {properties_json} = Python json.dumps(properties) (separators ', ' and ': ', non-ASCII escaped)`,
		texts: []text{
			{key: "java_any", shape: "5ecbffc9c27e5a359584d3659ae09ebc5f3061b87d58dd1e66f1e12b52d16818"},
			{key: "java_other", shape: "a1c4c4ed148f692777fdfd5ca7d843db04e234c1ee9b3f95cbb574006fb5fdb3", fields: []string{"type"}},
			{key: "java_ArrayList_or_Array", shape: listHint, fields: []string{"items_type"}},
			{key: "javascript_any", shape: "1fc6b81d4f9659ace90df1c001bd1228a0c8067a96a9a30751fd0f123d643f31"},
			{key: "javascript_other", shape: "99efd9b1b67de4084f908a70a70fb32953ee830122f2033636ac99a09c3c5c02", fields: []string{"type"}},
			{key: "javascript_array", shape: listHint, fields: []string{"items_type"}},
			{key: "javascript_dict_with_properties", shape: "4083c85d7cad3450507ee1f43d9ea85bac05a2b5e5ff94f6c6c816305767c727", fields: []string{"properties_json"}},
		}},
	{key: "tool_schema_text", file: handlerFile,
		note: `bfcl_eval/model_handler/utils.py, convert_to_tool and _cast_to_openai_type: literal texts appended to descriptions`,
		texts: []text{
			{key: "float_suffix", shape: "36fe81dcd3ae20097fee6906a8aa1e85cc35a4f5c5d3510046d5a6b52145f47c"},
			{key: "default", shape: "3838a73771140b183ddb5999b0c74f84d6a731653fe3edcc552f4303e30638ed", fields: value},
			{key: "optional", shape: "da80c1cb489daacee7f6994b596a07871139dce232673921ad4fda5b988e1a4b", fields: value},
			{key: "required", shape: "ec7b565f041fe341f5e510ba8d9f6c6bdd7d5b4f72a37069f9c91b2bec2f2f5a", fields: value},
			{key: "maximum", shape: "a9db459c389a556307f178565322890be373153aaaf4dc92be4e17517710300c", fields: value},
			{key: "minItems", shape: "42597dda3ffdeadd8d6d2b8c6ae77a5a6b3b9d0f7cce5d6088a949c47d2406e5", fields: value},
			{key: "maxItems", shape: "5274864acef79d2dbb29f37e116b610d0cda4e8e5958b512198a7b48caa05b77", fields: value},
			{key: "additionalProperties", shape: "77112792bebe18f3edbdbf14765760d15e5ac64acb3739f2878a8f64216afa20", fields: value},
			{key: "enum", shape: "1e6f36e95c8ba37c9abb9eda57099a23d3640ded1d9b9fd39604b26bdd0260ce", fields: value},
			{key: "format", shape: "0abb0dc90b337970770b537f06b427038513bdbe7e920c2dc7598fe2c02edc6b", fields: value},
			{key: "response", shape: "63b626ee438019f84bda5b1d1ab1db9e07eb0e788b9a975285c2edb48a0be5b6", fields: []string{"json_dumps_response"}},
		}},
	{key: "memory_empty_core",
		note: `bfcl_eval/eval_checker/multi_turn_eval/func_source_code/memory_*.py, _dump_core_memory_to_context() with nothing stored`,
		texts: []text{
			{key: "memory_kv", shape: emptyCore, file: simulators + "memory_kv.py"},
			{key: "memory_vector", shape: emptyCore, file: simulators + "memory_vector.py"},
			{key: "memory_rec_sum", shape: "052f929e46826a41bac320cd481eb63cdf25e455c3ead1c1a4034af21798dbcc", file: simulators + "memory_rec_sum.py"},
		}},
	{key: "format_sensitivity_configs", made: formatConfigs},
	{key: "category_mapping", note: `bfcl_eval/constants/category_mapping.py`, file: constants + "category_mapping.py", names: []string{
		"VERSION_PREFIX", "ALL_AVAILABLE_MEMORY_BACKENDS", "NON_LIVE_CATEGORY", "LIVE_CATEGORY", "MULTI_TURN_CATEGORY",
		"WEB_SEARCH_CATEGORY", "MEMORY_CATEGORY", "MEMORY_SCENARIO_NAME", "SINGLE_TURN_CATEGORY", "AGENTIC_CATEGORY",
		"NON_SCORING_CATEGORY", "ALL_SCORING_CATEGORIES", "ALL_CATEGORIES", "TEST_COLLECTION_MAPPING",
	}},
	{key: "multi_turn_func_doc_file_mapping", file: constants + "executable_backend_config.py", whole: "MULTI_TURN_FUNC_DOC_FILE_MAPPING"},
	{key: "stateless_classes", file: constants + "executable_backend_config.py", whole: "STATELESS_CLASSES"},
	{key: "omit_state_info_classes", file: constants + "executable_backend_config.py", whole: "OMIT_STATE_INFO_CLASSES"},
	{key: "type_mappings", note: `bfcl_eval/constants/type_mappings.py; Python types given by name`, file: constants + "type_mappings.py", names: []string{
		"GORILLA_TO_OPENAPI", "GORILLA_TO_PYTHON", "JAVA_TYPE_CONVERSION", "JS_TYPE_CONVERSION", "PYTHON_TYPE_MAPPING",
		"PYTHON_NESTED_TYPE_CHECK_LIST", "NESTED_CONVERSION_TYPE_LIST",
	}},
	{key: "eval_config", file: constants + "eval_config.py", names: []string{"H100_X8_PRICE_PER_HOUR", "LOCAL_SERVER_MAX_CONCURRENT_REQUEST"}},
	{key: "column_headers", note: `bfcl_eval/constants/column_headers.py`, file: constants + "column_headers.py", names: []string{
		"COLUMNS_NON_LIVE", "COLUMNS_LIVE", "COLUMNS_MULTI_TURN", "COLUMNS_AGENTIC", "COLUMNS_FORMAT_SENS_PREFIX", "COLUMNS_OVERALL",
	}},
}

var value = []string{"value"}

// The shapes of texts that are in several functions.
const (
	listHint  = "abb55f34b197c5204e3c88b28321b0497e20bb71e2459dd261c6b7ae5e17e1f5"
	emptyCore = "141faafddccf2f6286cb30923ebc081ddcad608d76c95fcc992763a78fb4dbe0"
)

// longContextFile and longContext are the source of long_context.json and the
// constants in it, in their order.
const longContextFile = simulators + "long_context.py"

var longContext = []string{
	"WATCH_LIST_EXTENSION", "TRANSACTION_HISTORY_EXTENSION", "MA_5_EXTENSION", "MA_20_EXTENSION", "TECHNOLOGY_EXTENSION",
	"AUTOMOBILE_EXTENSION", "ORDER_DETAIL_EXTENSION", "FILE_CONTENT_EXTENSION", "POPULATE_FILE_EXTENSION",
	"CAR_STATUS_METADATA_EXTENSION", "LONG_WEATHER_EXTENSION", "PARKING_BRAKE_INSTRUCTION", "INTERMEDIARY_CITIES",
	"CREDIT_CARD_EXTENSION", "BOOKING_RECORD_EXTENSION", "FILES_TAIL_USED",
}

func formatConfigs() []string {
	var out []string
	for _, c := range prompt.Configs() {
		out = append(out, c.String())
	}
	return out
}
