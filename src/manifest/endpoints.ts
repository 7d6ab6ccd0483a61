/** Where the servers that many people use are found, and a model that many have there. */
export const endpoints = [
  { label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3' },
  { label: 'LM Studio', baseUrl: 'http://127.0.0.1:1234/v1', model: 'qwen/qwen3-coder-30b' },
  { label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', model: 'default' },
  { label: 'vLLM', baseUrl: 'http://127.0.0.1:8000/v1', model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct' },
  { label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', model: 'anthropic/claude-sonnet-4.5' },
] as const;
