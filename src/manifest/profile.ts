import * as z from 'zod/mini';
import { protocolNames } from '../protocols/names';
import { described } from './schema-parts';

/**
 * Default addresses of popular servers, with a popular model. The window of a local server depends on how it was
 * started, so the number is a placeholder.
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
/** A week is as good as forever. */
const seconds = z.number().check(z.nonnegative(), z.lte(604_800));
const dollars = z.number().check(z.nonnegative());

const address = z.string().check(
  z.regex(/^https?:\/\//, 'must begin with http:// or https://'),
  z.refine((value) => URL.canParse(value), 'must be an address'),
);

/**
 * One entry of `parley.models`. Missing fields are reported when the profile is used, so that one error does not
 * affect the others.
 */
export const profile = z.strictObject({
  id: described(z.clone(text), 'Unique name of the profile, used in `parley.model`.'),
  name: z.optional(described(z.string(), 'Shown in the model picker instead of the id.')),
  provider: described(z.enum(['openai', 'ollama', 'vscode', 'demo']), 'What serves the model.', {
    values: {
      openai: 'Any endpoint that speaks the API in `api`, usually Chat Completions.',
      ollama:
        'Ollama through its own API: `contextWindow` is sent as `num_ctx`, and requests that do not fit are refused instead of cut. Put `keep_alive`, `think` and `options` into `extraBody`.',
      vscode:
        'A model that VS Code offers to extensions. These are also in the model picker without a profile.',
      demo: 'The built-in scripted demo.',
    },
  }),
  baseUrl: z.optional(
    described(
      address,
      'Address of an `openai` endpoint, usually ending in `/v1`, or of an `ollama` server (default `http://127.0.0.1:11434`).',
    ),
  ),
  api: z.optional(
    described(z.enum(['chat', 'responses', 'messages']), 'API of an `openai` endpoint.', {
      values: {
        chat: 'Chat Completions, which most servers have.',
        responses: "OpenAI's Responses: reasoning goes back encrypted; nothing is stored on the server.",
        messages: "Anthropic's Messages: thinking goes back with its signature.",
      },
    }),
  ),
  effort: z.optional(
    described(
      z.enum(['none', 'low', 'medium', 'high']),
      'How much the model thinks before it answers, sent as the API names it. By default the endpoint decides. An endpoint that refuses it is asked without it.',
    ),
  ),
  cache: z.optional(
    described(
      z.enum(['auto', 'off', '1h']),
      'Whether parts of a request are marked for the cache of the server.',
      {
        values: {
          auto: 'For Claude, as the name of the model or the endpoint says, and over the Messages API: five minutes.',
          off: 'Never.',
          '1h': 'Always, for an hour, which costs more to write.',
        },
      },
    ),
  ),
  model: z.optional(
    described(
      z.string(),
      'Name of the model as the endpoint knows it. For `vscode`: vendor, slash, and id or family, such as `copilot/gpt-4o`.',
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
      'Context window of the model in tokens. By default, the value that the server reports. Below 16,384, tools are described briefly. With the provider `openai` this only informs Parley; the server decides. With `ollama` the model is loaded with it.',
    ),
  ),
  maxOutputTokens: z.optional(
    described(
      z.clone(tokens),
      'Maximum number of tokens in a reply (`max_tokens`). The Messages API requires a limit; it is 8,192 by default.',
    ),
  ),
  vision: z.optional(
    described(
      z.boolean(),
      'Whether the model accepts images. Otherwise `@file:picture.png` in a message does not send one.',
    ),
  ),
  prompt: z.optional(
    described(z.enum(['auto', 'full', 'short', 'example']), 'How tools are described to the model.', {
      values: {
        auto: 'Brief if the context window is below 16,384 tokens or the full description does not fit, otherwise full.',
        full: 'Always full. If it does not fit, nothing is sent.',
        short: 'Always brief: fewer tokens, and a faster first answer from slow servers.',
        example:
          'Full, with an example of a call, its result and the answer, for models that have trouble with calls. Brief if that does not fit.',
      },
    }),
  ),
  reasoning: z.optional(
    described(
      z.enum(['auto', 'echo', 'drop']),
      'Whether the reasoning of a reply is sent back with the conversation, to the endpoint and model it came from.',
      {
        values: {
          auto: 'As the model family needs it, or as the endpoint asks when it refuses a request.',
          echo: 'Always. A reply without reasoning gets an empty `reasoning_content`.',
          drop: 'Never.',
        },
      },
    ),
  ),
  forcedForm: z.optional(
    described(
      z.enum(['auto', 'on', 'off']),
      'Whether the server enforces the form of the protocol, so that no call can be malformed.',
      {
        values: {
          auto: 'When a short request showed that it works. Checked automatically on this machine and in your own network, elsewhere with *Test connection*.',
          on: 'Always requested. If the server refuses, the request is sent again without it.',
          off: 'Never.',
        },
      },
    ),
  ),
  steps: z.optional(
    described(z.enum(['auto', 'one', 'many']), 'How many calls a reply of this model may have.', {
      values: {
        auto: 'One for models below four billion parameters, as far as the server or the name tells; otherwise many.',
        one: 'One: a thought and one call, or the answer, with few simple tools. For models that get lost in long replies.',
        many: 'Any number.',
      },
    }),
  ),
  temperature: z.optional(
    described(
      z.number().check(z.nonnegative(), z.lte(2)),
      'How much replies vary (`temperature`): 0 for the most likely words. By default the server decides; with steps of one call it is 0.2.',
    ),
  ),
  topP: z.optional(
    described(
      z.number().check(z.positive(), z.lte(1)),
      'Only the likeliest words that together have this probability are written (`top_p`).',
    ),
  ),
  seed: z.optional(
    described(z.int(), 'Makes servers that support it sample the same way each time (`seed`).'),
  ),
  publish: z.optional(
    described(
      z.boolean(),
      "Whether VS Code's own chat and other extensions may use this model, with tools even if its server does not support them. They see it as a model of the vendor `parley`.",
    ),
  ),
  headers: z.optional(
    described(
      z.record(z.string(), z.string()),
      'Sent with every request. For `${secret:NAME}` in a value, "Parley: Set API Key…" asks for a secret; it is stored in the secret storage and sent only to this address.',
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
      z.union(
        [
          z.clone(text),
          z.strictObject({
            command: z.clone(text),
            expiresIn: z.optional(z.number().check(z.positive(), z.lte(604_800))),
          }),
        ],
        'use a command line, or { "command": "…", "expiresIn": seconds } with at most 604800 seconds',
      ),
      'A command whose output is the key, for tokens that expire: `"vault read -field=token llm"`, or with a limit in seconds `{ "command": "…", "expiresIn": 3600 }`. It runs in your home folder at the first request. The key is kept until the server refuses it (401), sent only to the origin of `baseUrl`, and never written to disk.',
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
      'Time limits of a request in seconds, 0 for no limit: `connect` until the server is connected, `firstEvent` without activity until the reply begins, `idle` without activity during the reply, `total` until the reply ends. Defaults: 5, 1200, 600 and 0 for this machine, private addresses and `*.local`; otherwise 30, 120, 90 and 1800.',
    ),
  ),
  fallback: z.optional(
    described(
      z.array(z.clone(text)),
      'Ids of profiles that answer in order if this model cannot be reached: no connection, an error of the server, or a limit that waiting does not lift. The next message goes to this model again.',
    ),
  ),
  tls: z.optional(
    described(
      z.strictObject({
        cert: z.clone(text),
        key: z.clone(text),
        ca: z.optional(z.clone(text)),
        passphrase: z.optional(z.clone(text)),
      }),
      'Client certificate for a server that demands one: absolute paths of PEM files outside of the workspace (`~/` is your home folder). `ca`: authorities that are trusted in place of the usual ones. `passphrase`: `${secret:NAME}`, asked for like those in `headers`. The files are read for each connection.',
    ),
  ),
  price: z.optional(
    described(
      z.strictObject({
        input: dollars,
        output: dollars,
        cachedInput: z.optional(dollars),
        cacheWrite: z.optional(dollars),
      }),
      'Price in dollars per million tokens of `input` and of `output`, and of input that comes from the cache (`cachedInput`) or goes into it (`cacheWrite`). If set, the chat shows the cost of each answer. A cost that the service reports wins.',
    ),
  ),
});

/** Snippets for `parley.models`; `${n:text}` is a placeholder, and `^` omits quotes. */
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
