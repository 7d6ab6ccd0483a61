/** The API of an endpoint: Chat Completions, Responses (OpenAI), or Messages (Anthropic). */
export type Api = 'chat' | 'responses' | 'messages';

/** How much a model should think before it answers. */
export type Effort = 'none' | 'low' | 'medium' | 'high';
