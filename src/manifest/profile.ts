import * as z from 'zod/mini';
import { protocolNames } from '../protocols/names';
import { described } from './described';

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

const text = z.string().check(z.minLength(1));
const tokens = z.number().check(z.int(), z.positive());
/** A week is as good as for ever. */
const seconds = z.number().check(z.nonnegative(), z.lte(604_800));
const dollars = z.number().check(z.nonnegative());

const address = z.string().check(
  z.regex(/^https?:\/\//, 'must begin with http:// or https://'),
  z.refine((value) => URL.canParse(value), 'must be an address'),
);

/** One entry of `parley.models`. What a profile lacks to be used is said when it is used: the others stay good. */
export const profile = z.strictObject({
  id: described(z.clone(text), 'Names the profile in `parley.model`; each profile has its own.'),
  name: z.optional(described(z.string(), 'Shown in the model picker instead of the id.')),
  provider: described(z.enum(['openai', 'ollama', 'vscode', 'demo']), 'Who has the model.', {
    values: {
      openai: 'Any endpoint of the Chat Completions API.',
      ollama:
        'Ollama over its own API: `contextWindow` becomes its `num_ctx`, and what does not fit is refused instead of cut. `keep_alive`, `think` and `options` go into `extraBody`.',
      vscode:
        'A model that VS Code offers to extensions; these are in the model picker without a profile, too.',
      demo: 'The built-in script.',
    },
  }),
  baseUrl: z.optional(
    described(
      address,
      'Address of an `openai` endpoint, usually ending in `/v1`; of an `ollama` server, `http://127.0.0.1:11434` if not given.',
    ),
  ),
  model: z.optional(
    described(
      z.string(),
      'The model as the endpoint knows it; for `vscode` the vendor, a slash, and the id or family: `copilot/gpt-4o`.',
    ),
  ),
  protocol: z.optional(
    described(z.string(), 'How this model calls tools while `parley.toolCalling.protocol` is `auto`.', {
      enum: ['auto', ...protocolNames.map(({ id }) => id)],
    }),
  ),
  contextWindow: z.optional(
    described(
      z.clone(tokens),
      'Tokens the model can take in. Below 16,384 tools are described in short. Where it is not given, what the server says counts. With the provider `openai` this only tells Parley; the server decides. With `ollama` the model is loaded with it.',
    ),
  ),
  maxOutputTokens: z.optional(described(z.clone(tokens), 'The most tokens of one reply (`max_tokens`).')),
  vision: z.optional(
    described(
      z.boolean(),
      'Whether the model takes images. Only then `@file:picture.png` in a message sends one.',
    ),
  ),
  prompt: z.optional(
    described(z.enum(['auto', 'full', 'short', 'example']), 'How the model is told about its tools.', {
      values: {
        auto: 'In short where the context window is below 16,384 tokens, or where the full description does not fit; else in full.',
        full: 'Always in full. Where that does not fit, nothing is sent.',
        short: 'Always in short: fewer tokens, and a faster first answer of slow servers.',
        example:
          'In full, with an example of a call, its result and the answer, for models that have trouble with calls. In short where that does not fit.',
      },
    }),
  ),
  reasoning: z.optional(
    described(
      z.enum(['auto', 'echo', 'drop']),
      'Whether the thoughts of a reply are sent back with the conversation, to the endpoint and model they came from.',
      {
        values: {
          auto: 'As the family of the model needs it, and as the endpoint asks when it refuses a request.',
          echo: 'Always; a reply that has none gets an empty `reasoning_content`.',
          drop: 'Never.',
        },
      },
    ),
  ),
  forcedForm: z.optional(
    described(
      z.enum(['auto', 'on', 'off']),
      'Whether the server holds replies to the form of the protocol, so that no call can be malformed.',
      {
        values: {
          auto: 'Where a short request has shown that it works: by itself on this machine and in your own network, elsewhere by *Test connection*.',
          on: 'Always asked for. A server that refuses gets the request again without it.',
          off: 'Never.',
        },
      },
    ),
  ),
  publish: z.optional(
    described(
      z.boolean(),
      "Whether VS Code's own chat and other extensions may use this model, with tools, whatever its server takes. They see it as a model of the vendor `parley`.",
    ),
  ),
  headers: z.optional(
    described(
      z.record(z.string(), z.string()),
      'Sent with every request. `${secret:NAME}` in a value stands for a secret that "Parley: Set API Key…" asks for; it is kept in the secret storage and sent to this address only.',
    ),
  ),
  extraBody: z.optional(
    described(
      z.record(z.string(), z.json()),
      'Merged into every request: `{ "temperature": 0.2 }`, `{ "chat_template_kwargs": { "enable_thinking": false } }`.',
    ),
  ),
  apiKeyCommand: z.optional(
    described(
      z.union([
        z.clone(text),
        z.strictObject({
          command: z.clone(text),
          expiresIn: z.optional(z.number().check(z.positive(), z.lte(604_800))),
        }),
      ]),
      'A command whose output is the key, for tokens that expire: `"vault read -field=token llm"`, or with a limit in seconds `{ "command": "…", "expiresIn": 3600 }`. It is run in your home folder at the first request; the key is kept until the server refuses it (401), sent to the origin of `baseUrl` only, and written down nowhere.',
    ),
  ),
  timeouts: z.optional(
    described(
      z.strictObject({
        connect: z.optional(seconds),
        firstEvent: z.optional(seconds),
        idle: z.optional(seconds),
        total: z.optional(seconds),
      }),
      'How long a request is waited for, in seconds, 0 for ever: `connect` to the server, `firstEvent` without a sign of life until something of the reply arrives, `idle` without one in the middle of it, `total` to its end. On this machine, private addresses and `*.local` 5, 1200, 600 and 0; elsewhere 30, 120, 90 and 1800.',
    ),
  ),
  price: z.optional(
    described(
      z.strictObject({ input: dollars, output: dollars }),
      'Dollars for a million tokens of `input` and of `output`. With it the chat says what an answer has cost.',
    ),
  ),
});

/** Offered by the editor inside of `parley.models`; `${n:text}` is a place to fill in, and `^` stands for no quotes. */
export const profilePresets = endpoints.map(({ label, baseUrl, model, ...more }) => ({
  label,
  body: {
    id: `\${1:${label.toLowerCase().replaceAll(/[^a-z]/g, '')}}`,
    name: `\${2:${label}}`,
    provider: 'openai',
    baseUrl,
    model: `\${3:${model}}`,
    ...('contextWindow' in more && { contextWindow: `^\${4:${more.contextWindow}}` }),
  },
}));
