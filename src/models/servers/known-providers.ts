import type { LocalServer } from './local-servers';

/**
 * Online services with a documented API, by documented address: Chat Completions, or as the address implies. All need
 * a key of the user.
 */
export const knownProviders: readonly LocalServer[] = [
  { label: 'OpenRouter', baseUrl: 'https://openrouter.ai/api/v1' },
  { label: 'OpenAI', baseUrl: 'https://api.openai.com/v1' },
  { label: 'Anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  { label: 'Mistral', baseUrl: 'https://api.mistral.ai/v1' },
  { label: 'DeepSeek', baseUrl: 'https://api.deepseek.com/v1' },
  { label: 'Groq', baseUrl: 'https://api.groq.com/openai/v1' },
  { label: 'Google Gemini', baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  { label: 'xAI', baseUrl: 'https://api.x.ai/v1' },
  { label: 'Together', baseUrl: 'https://api.together.xyz/v1' },
  { label: 'Fireworks', baseUrl: 'https://api.fireworks.ai/inference/v1' },
  { label: 'Cerebras', baseUrl: 'https://api.cerebras.ai/v1' },
  { label: 'Moonshot', baseUrl: 'https://api.moonshot.ai/v1' },
  { label: 'Z.ai', baseUrl: 'https://api.z.ai/api/paas/v4' },
];
