package catalog

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// A provider is a convention: the hosts of a provider, and the environment
// variables that its own tools read.
type provider struct {
	name string
	// adapters reach it without a base URL.
	adapters []string
	// hosts are its hosts; one that begins with a dot or a hyphen is a suffix.
	hosts []string
	// keys are the variables that may hold its key; the first that is set
	// counts.
	keys []string
	// address is the variable that may hold its base URL.
	address string
}

// providers has the order of docs/models.md. The first one with an adapter is
// that adapter's own.
var providers = []provider{
	{name: "OpenAI", adapters: []string{"openai", "responses"}, hosts: []string{"api.openai.com", ".api.openai.com"},
		keys: []string{"OPENAI_API_KEY"}, address: "OPENAI_BASE_URL"},
	{name: "Azure", hosts: []string{".openai.azure.com", ".cognitiveservices.azure.com", ".services.ai.azure.com", ".openai.azure.us"},
		keys: []string{"AZURE_OPENAI_API_KEY"}},
	{name: "Anthropic", adapters: []string{"anthropic"}, hosts: []string{"api.anthropic.com"},
		keys: []string{"ANTHROPIC_API_KEY"}, address: "ANTHROPIC_BASE_URL"},
	{name: "Google", adapters: []string{"gemini"}, hosts: []string{"generativelanguage.googleapis.com"},
		keys: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}},
	{name: "Vertex AI", hosts: []string{"aiplatform.googleapis.com", "-aiplatform.googleapis.com", ".rep.googleapis.com"}},
	{name: "Cohere", adapters: []string{"cohere"}, hosts: []string{"api.cohere.com", "api.cohere.ai"},
		keys: []string{"COHERE_API_KEY", "CO_API_KEY"}},
	{name: "Amazon Bedrock", adapters: []string{"bedrock"}, hosts: []string{".amazonaws.com"}},
	{name: "OpenRouter", hosts: []string{"openrouter.ai"}, keys: []string{"OPENROUTER_API_KEY"}},
	{name: "DeepSeek", hosts: []string{"api.deepseek.com"}, keys: []string{"DEEPSEEK_API_KEY"}},
	{name: "Mistral", hosts: []string{"api.mistral.ai"}, keys: []string{"MISTRAL_API_KEY"}},
	{name: "Fireworks", hosts: []string{"api.fireworks.ai"}, keys: []string{"FIREWORKS_API_KEY"}},
	{name: "Together", hosts: []string{"api.together.xyz", "api.together.ai"}, keys: []string{"TOGETHER_API_KEY"}},
	{name: "xAI", hosts: []string{"api.x.ai"}, keys: []string{"XAI_API_KEY", "GROK_API_KEY"}},
	{name: "Moonshot", hosts: []string{"api.moonshot.ai", "api.moonshot.cn"}, keys: []string{"MOONSHOT_API_KEY", "KIMI_API_KEY"}},
	{name: "Alibaba Cloud", hosts: []string{"dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com", ".dashscope.aliyuncs.com"},
		keys: []string{"DASHSCOPE_API_KEY", "QWEN_API_KEY"}},
	{name: "Groq", hosts: []string{"api.groq.com"}, keys: []string{"GROQ_API_KEY"}},
	{name: "Zhipu", hosts: []string{"open.bigmodel.cn", "api.z.ai"}, keys: []string{"ZAI_API_KEY", "GLM_API_KEY", "ZHIPUAI_API_KEY"}},
	{name: "MiniMax", hosts: []string{"api.minimax.io", "api.minimaxi.com"}, keys: []string{"MINIMAX_API_KEY"}},
	{name: "NVIDIA", hosts: []string{"integrate.api.nvidia.com"}, keys: []string{"NVIDIA_API_KEY"}},
	{name: "Novita", hosts: []string{"api.novita.ai"}, keys: []string{"NOVITA_API_KEY"}},
	{name: "Writer", hosts: []string{"api.writer.com"}, keys: []string{"WRITER_API_KEY"}},
	{name: "Ling", hosts: []string{"bailingchat.alipay.com"}, keys: []string{"LING_API_KEY"}},
	{name: "Nanbeige", hosts: []string{"nanbeige.zhipin.com"}, keys: []string{"NBG_API_KEY"}},
	{name: "GoGoAgent", hosts: []string{"api.gogoagent.ai"}, keys: []string{"GOGOAGENT_API_KEY"}},
	{name: "Gorilla", hosts: []string{"luigi.millennium.berkeley.edu"}},
}

// awsVariables are the variables in which AWS's own tools look for credentials.
// These also look at files and the machine's role, so none of the variables
// needs to be set.
var awsVariables = []string{
	"AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_WEB_IDENTITY_TOKEN_FILE",
	"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
}

// provider returns the provider that serves the entry, and false for a server
// of the user's own.
func (e Entry) provider() (provider, bool) {
	host := e.host()
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	for _, p := range providers {
		if slices.ContainsFunc(p.hosts, func(h string) bool {
			return host == h || strings.ContainsAny(h[:1], ".-") && strings.HasSuffix(host, h)
		}) {
			return p, true
		}
	}
	if e.BaseURL == "" {
		for _, p := range providers {
			if slices.Contains(p.adapters, e.Adapter) {
				return p, true
			}
		}
	}
	return provider{}, false
}

// Keys returns the variables that may hold the entry's key, in order of
// precedence, and whether one of them must be set. Bedrock finds credentials by
// itself. A server that no provider's convention covers gets the key of the
// adapter's own provider if it is set: this is how OpenAI-compatible servers
// usually get theirs.
func (e Entry) Keys() (variables []string, needed bool) {
	switch p, ok := e.provider(); {
	case e.KeyCommand != "":
		return nil, false
	case e.Key != "":
		return []string{e.Key}, true
	case e.Adapter == "bedrock":
		return nil, false
	case ok:
		return p.keys, len(p.keys) > 0
	}
	for _, p := range providers {
		if slices.Contains(p.adapters, e.Adapter) {
			return p.keys, false
		}
	}
	return nil, false
}

// isLocal reports whether a host is this machine or in its network.
func isLocal(host string) bool {
	if strings.ContainsAny(host, "$/") {
		return false // a host with ${VAR} is not known yet
	}
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") ||
		strings.HasSuffix(host, ".internal") || host != "" && !strings.Contains(host, ".")
}
