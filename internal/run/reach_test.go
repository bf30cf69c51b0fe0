package run_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/gobfcl/bfcl/internal/misuse"
	"github.com/gobfcl/bfcl/internal/run/suite"
)

// TestReach: the commonest first mistakes are told in one line with their mend,
// and servers that may well answer are not refused.
func TestReach(t *testing.T) {
	const list, chat = "GET /v1/models", "POST /v1/chat/completions"
	serves := func(ids ...string) string {
		return `{"object": "list", "data": [{"id": "` + strings.Join(ids, `"}, {"id": "`) + `"}]}`
	}
	const notFound = `404 {"error": {"message": "The model does not exist."}}`
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, row := range []struct {
		name, path string
		replies    map[string]string
		says       string // "" for no error
		asked      []string
	}{
		{"it serves the model", "/v1", map[string]string{list: serves("m", "n")}, "", []string{list}},
		{"no path", "", map[string]string{list: serves("m")}, "", []string{list}},
		{"another spelling", "/v1", map[string]string{list: serves("Maker/M"), chat: notFound}, `the server has no model "m"; it serves Maker/M: use -model=openai:Maker/M`, []string{list, chat}},
		{"one model", "/v1", map[string]string{list: serves("qwen"), chat: notFound}, `no model "m"; it serves qwen: use -model=openai:qwen`, []string{list, chat}},
		{"many others", "/v1", map[string]string{list: serves("a", "b", "c", "d", "e", "f", "g", "h", "i", "k"), chat: notFound}, "it serves a, b, c, d, e, f, g, h and 2 more", nil},
		{"any name will do", "/v1", map[string]string{list: serves("file.gguf"), chat: `200 {"choices": []}`}, "", []string{list, chat}},
		{"a hostile name", "/v1", map[string]string{list: serves(`m\u001b[2J$(id)`), chat: notFound}, `it serves m\x1b[2J$(id): use -model=$'openai:m\033[2J$(id)'`, nil},
		{"a base that answers beside one with a list", "/team/v1", map[string]string{"GET /v1/models": serves("m"), "POST /team/v1/chat/completions": `200 {"choices": []}`}, "", nil},
		{"a base that loads beside one with a list", "/team/v1", map[string]string{"GET /team/v1/models": `503 {"error": "loading"}`, "GET /v1/models": serves("m")}, "", nil},
		{"the path lacks /v1", "/api", map[string]string{"GET /api/v1/models": serves("m")}, "has no models, and http://SERVER/api/v1 has: use -base-url=http://SERVER/api/v1", nil},
		{"the path has it twice", "/v1/v1", map[string]string{list: serves("m")}, "use -base-url=http://SERVER/v1", nil},
		{"another program", "/v1", map[string]string{list: "404 <html>", chat: "404 <html>nginx"}, `another program than a model's server answers at http://SERVER/v1: HTTP 404, "<html>nginx`, nil},
		{"a server without a list", "/v1", map[string]string{list: "404 <html>", chat: `200 {"choices": []}`}, "", nil},
		{"a list that is none", "/v1", map[string]string{list: `{"choices": []}`}, "", nil},
		{"the key is refused", "/v1", map[string]string{list: "401 no", chat: "401 wrong key"}, `refuses the key: HTTP 401, "wrong key"`, []string{list, chat}},
		{"only the list is refused", "/v1", map[string]string{list: "403 no", chat: `200 {"choices": []}`}, "", []string{list, chat}},
		{"it is loading", "/v1", map[string]string{list: `503 {"error": "loading"}`}, "", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			s, asked := replies(t, row.replies)
			began := time.Now()
			err := reach(t, s.URL+row.path)
			assert.Less(t, time.Since(began), 5*time.Second)
			if row.asked != nil {
				assert.Equal(t, row.asked, *asked)
			}
			if row.says == "" {
				assert.NoError(t, err)
				return
			}
			require.Error(t, err)
			assert.True(t, misuse.Is(err))
			assert.Contains(t, strings.ReplaceAll(err.Error(), strings.TrimPrefix(s.URL, "http://"), "SERVER"), row.says)
			assert.NotContains(t, err.Error(), "\n")
			assert.NotContains(t, err.Error(), "secret")
		})
	}
	assert.ErrorContains(t, reach(t, closed.URL+"/v1"), "connection refused; is the server running")
}

// TestReachReplies: only a reply that says that the model is unknown refuses a
// model that the server does not list. The replies are those that users of the
// servers quote, in the threads that are named.
func TestReachReplies(t *testing.T) {
	for _, row := range []struct {
		from, reply string
		refused     bool
	}{
		{"OpenAI, lobehub/lobehub#3367", `404 {"error": {"message": "The model ` + "`m`" + ` does not exist or you do not have access to it.", "type": "invalid_request_error", "code": "model_not_found"}}`, true},
		{"vLLM, vllm-project/vllm#3485", `404 {"object":"error","message":"The model ` + "`Qwen1.5-14B`" + ` does not exist.","type":"NotFoundError","param":null,"code":404}`, true},
		{"Ollama, netease-youdao/QAnything#555", `404 {"error": {"message": "model \"ollama\" not found, try pulling it first", "type": "api_error", "param": null, "code": null}}`, true},
		{"Ollama, TheBlewish/Automated-AI-Web-Researcher-Ollama#42", `404 {"error":"model 'custom-phi3-32k-Q4_K_M' not found"}`, true},
		{"LM Studio, gitbutlerapp/gitbutler#8706", `404 {"error": {"message": "Model \"default\" not found. Please specify a valid model.\n\nYour models:", "type": "invalid_request_error", "param": "model"}}`, true},
		{"LM Studio, assafelovic/gpt-researcher#1556", `400 {"error": {"message": "Invalid model identifier \"o4-mini\". Please specify a valid downloaded model", "type": "invalid_request_error", "param": "model"}}`, true},
		{"LiteLLM, BerriAI/litellm#8821", `400 {"error": {"message": {"error": "/chat/completions: Invalid model name passed in model=DeepSeek-R1x. Call ` + "`/v1/models`" + ` to view available models for your key."}, "type": "None", "param": "None", "code": "400"}}`, true},
		{"OpenRouter, OpenRouterTeam/openrouter-examples#74", `400 {"error": {"message": "claude-sonnet-4-6 is not a valid model ID", "code": 400}}`, true},
		{"Azure, chatboxai/chatbox#646", `404 {"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}`, true},
		{"DeepSeek, langbot-app/LangBot#1643", `400 {"error": {"message": "Model Not Exist", "type": "invalid_request_error", "param": null, "code": "invalid_request_error"}}`, true},
		{"Mistral, mistralai/mistral-vibe#617", `400 {"object":"error","message":"Invalid model: mistral-medium-3.5","type":"invalid_model","param":null,"code":"1500"}`, true},
		{"xAI, yihong0618/bilingual_book_maker#464", `404 {"code": "Some requested entity was not found", "error": "The model grok-beta does not exist or your team does not have access to it."}`, true},
		{"Gemini, continuedev/continue#9939", `404 {"error": {"code": 404, "message": "models/gemini-pro is not found for API version v1beta, or is not supported for generateContent.", "status": "NOT_FOUND"}}`, true},
		{"Fireworks, warpdotdev/warp#15107", `404 {"message":"Model not found, inaccessible, and/or not deployed","param":"model","code":"NOT_FOUND","type":"error"}`, true},

		{"OpenAI, microsoft/clarity-agent#59", `400 {"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "type": "invalid_request_error", "param": "max_tokens", "code": "unsupported_parameter"}}`, false},
		{"Copilot, caozhiyuan/copilot-api#164", `400 {"error": {"message": "Unsupported parameter: 'max_tokens' is not supported with this model.", "code": "invalid_request_body"}}`, false},
		{"DashScope, infiniflow/ragflow#5912", `400 {"error": {"code": "invalid_parameter_error", "param": null, "message": "This model only support stream mode, please enable the stream parameter to access the model. ", "type": "invalid_request_error"}}`, false},
		{"a relay, nashsu/llm_wiki#594", `400 {"detail":"Stream must be set to true"}`, false},
		{"OpenAI, johny-b/llmcomp#69", `400 {"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.", "type": "invalid_request_error", "param": "temperature", "code": "unsupported_value"}}`, false},
		{"Azure, stanford-crfm/helm#3327", `400 {"error": {"message": "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", "type": null, "param": "prompt", "code": "content_filter", "status": 400}}`, false},
		{"OpenRouter, vectorize-io/hindsight#58", `400 {"error": {"message": "Provider returned error", "code": 400, "metadata": {"raw": "{\n \"error\": {\n \"message\": \"Invalid 'max_output_tokens': integer below minimum value.\", \"code\": \"integer_below_min_value\"}}"}}}`, false},
		{"LM Studio, lmstudio-ai/lmstudio-bug-tracker#1730", `400 {"error": {"message": "No models loaded. Please load a model in the developer page or use the 'lms load' command.", "type": "invalid_request_error", "param": "model", "code": null}}`, false},
		{"OpenAI, n8n-io/n8n#18352", `404 {"error": {"message": "This model is only supported in v1/responses and not in v1/chat/completions.", "type": "invalid_request_error", "param": "model", "code": null}}`, false},
		{"xAI, miaoxworld/NativeTavern#83", `400 {"error": "Model xxx does not support parameter presencePenalty."}`, false},
		{"Together, HeyPuter/puter#3168", `400 {"error":{"message":"The dedicated endpoint for mistralai/Mixtral-8x22B-Instruct-v0.1 is not running.","type":"invalid_request_error","param":null,"code":"dedicated_endpoint_not_running"}}`, false},
		{"One API, songquanpeng/one-api#2340", `503 {"error":{"message":"当前分组 default 下对于模型  无可用渠道","type":"one_api_error"}}`, false},
	} {
		for _, list := range []string{`{"data": [{"id": "alias"}]}`, `{"data": [{"id": "openai/*"}]}`, `{"data": []}`} {
			s, _ := replies(t, map[string]string{"GET /v1/models": list, "POST /v1/chat/completions": row.reply})
			err := reach(t, s.URL+"/v1")
			assert.Equal(t, row.refused, err != nil, "%s, list %s: %v", row.from, list, err)
		}
	}
}

// replies starts a server with a reply for each question, "404 {…}" with another
// status than 200, and returns what it was asked.
func replies(t *testing.T, of map[string]string) (*httptest.Server, *[]string) {
	t.Helper()
	asked := new([]string)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer secret", r.Header.Get("Authorization"))
		question := r.Method + " " + r.URL.Path
		*asked = append(*asked, question)
		reply, ok := of[question]
		if !ok {
			reply = `404 {"detail": "Not Found"}`
		}
		code := http.StatusOK
		if n, err := fmt.Sscanf(reply, "%3d ", &code); n == 1 && err == nil {
			reply = reply[4:]
			w.WriteHeader(code)
		}
		_, _ = w.Write([]byte(reply))
	}))
	t.Cleanup(s.Close)
	return s, asked
}

func reach(t *testing.T, base string) error {
	t.Helper()
	t.Setenv("OPENAI_API_KEY", "secret")
	o := options(t)
	o.Model, o.BaseURL, o.Categories = "openai:m", base, "sql"
	p, err := suite.NewPlan(o)
	require.NoError(t, err)
	return p.Reach(t.Context())
}
