/**
 * Where the servers that many people use are found, and a model that many have there. The window of a server on one's own
 * machine is whatever it was started with: the number is a place to write that down.
 */
export const endpoints = [
  { label: 'Ollama', baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3', contextWindow: 32_768 },
  {
    label: 'LM Studio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    model: 'qwen/qwen3-coder-30b',
    contextWindow: 32_768,
  },
  { label: 'llama.cpp', baseUrl: 'http://127.0.0.1:8080/v1', model: 'default', contextWindow: 32_768 },
  {
    label: 'vLLM',
    baseUrl: 'http://127.0.0.1:8000/v1',
    model: 'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    contextWindow: 32_768,
  },
  { label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1', model: 'anthropic/claude-sonnet-4.5' },
] as const;
