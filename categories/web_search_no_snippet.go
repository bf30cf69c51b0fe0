package categories

// webSearchNoSnippet: a web search that shows titles and addresses alone.
var webSearchNoSnippet = agent("web_search_no_snippet", agentGroup, searches)
