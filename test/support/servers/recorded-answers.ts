import type { JsonAnswer, JsonRequest } from './json-server';

/** The answers of a server family to questions about itself, by method and path. */
export type RecordedAnswers = Readonly<Record<string, unknown>>;

/** Answers from the table, else with 404 like real servers. */
export function answerFrom(answers: RecordedAnswers): (request: JsonRequest) => JsonAnswer {
  return ({ method, url }) => {
    const path = url.pathname + url.search;
    const key = [`${method} ${path}`, `${method} ${url.pathname}`].find((each) =>
      Object.hasOwn(answers, each),
    );
    if (key === undefined) return { status: 404, json: { error: 'not found' } };
    return { status: 200, json: answers[key] };
  };
}

const list = (...entries: readonly object[]): object => ({ object: 'list', data: entries });

/** llama.cpp like its real server (build of October 2026), with a template that supports tools or not. */
export function llamaCpp(window: number, tools: boolean): RecordedAnswers {
  return {
    'GET /v1/models': {
      models: [{ name: 'smollm2-135m', capabilities: ['completion'] }],
      ...list({ id: 'smollm2-135m', owned_by: 'llamacpp', meta: { n_ctx: window, n_ctx_train: 8192 } }),
    },
    'GET /props': {
      default_generation_settings: { n_ctx: window, params: {} },
      total_slots: 1,
      modalities: { vision: false, audio: false },
      chat_template: '{% for message in messages %}…',
      chat_template_caps: {
        supports_tools: tools,
        supports_tool_calls: tools,
        supports_preserve_reasoning: false,
      },
    },
  };
}

/** Ollama, whose list hides the window. `loaded`: the actual window, if the model is loaded. */
export function ollama(options: {
  readonly loaded?: number;
  readonly set?: number;
  readonly capabilities?: readonly string[];
}): RecordedAnswers {
  const { loaded, set, capabilities = ['completion', 'tools', 'thinking'] } = options;
  return {
    'GET /v1/models': list({ id: 'qwen3:8b', owned_by: 'library' }),
    'GET /api/ps': { models: loaded === undefined ? [] : [{ name: 'qwen3:8b', context_length: loaded }] },
    'POST /api/show': {
      capabilities,
      model_info: { 'general.architecture': 'qwen3', 'qwen3.context_length': 40960 },
      ...(set !== undefined && { parameters: `num_ctx                        ${set}` }),
    },
  };
}

/** LM Studio from 0.4 on. */
export function lmStudio(loaded: number | undefined, tools = true): RecordedAnswers {
  return {
    'GET /v1/models': list({ id: 'qwen/qwen3-8b', owned_by: 'organization_owner' }),
    'GET /api/v1/models': {
      models: [
        {
          type: 'llm',
          key: 'qwen/qwen3-8b',
          max_context_length: 40960,
          loaded_instances:
            loaded === undefined
              ? []
              : [{ id: 'qwen/qwen3-8b', config: { context_length: loaded, parallel: 1 } }],
          capabilities: { vision: false, trained_for_tool_use: tools },
        },
      ],
    },
  };
}

/** LM Studio before 0.4. */
export function oldLmStudio(loaded: number | undefined): RecordedAnswers {
  const state =
    loaded === undefined ? { state: 'not-loaded' } : { state: 'loaded', loaded_context_length: loaded };
  return {
    'GET /v1/models': list({ id: 'qwen3-8b', owned_by: 'organization_owner' }),
    'GET /api/v0/models': list({ id: 'qwen3-8b', type: 'vlm', max_context_length: 40960, ...state }),
  };
}

export const vllm: RecordedAnswers = {
  'GET /v1/models': list({ id: 'Qwen/Qwen3-8B', owned_by: 'vllm', max_model_len: 32768 }),
};

/** Without a parser for calls. */
export const sglang: RecordedAnswers = {
  'GET /v1/models': list({ id: 'Qwen/Qwen3-8B', owned_by: 'sglang', max_model_len: 32768 }),
  'GET /get_server_info': {
    context_length: null,
    max_total_num_tokens: 250000,
    tool_call_parser: null,
    reasoning_parser: null,
  },
};

export const localAi: RecordedAnswers = {
  'GET /v1/models': list({ id: 'gemma' }),
  'GET /v1/models/capabilities': list({
    id: 'gemma',
    capabilities: ['chat', 'vision'],
    input_modalities: ['text', 'image'],
    context_size: 8192,
  }),
};

export const openRouter: RecordedAnswers = {
  'GET /v1/models': list({
    id: 'z-ai/glm-5',
    context_length: 202752,
    top_provider: { context_length: 131072, max_completion_tokens: 65536 },
    architecture: { input_modalities: ['text', 'image'] },
    supported_parameters: ['tools', 'tool_choice', 'reasoning'],
  }),
};

/** A company's gateway, whose list has only names. */
export const liteLlm: RecordedAnswers = {
  'GET /v1/models': list({ id: 'house', owned_by: 'openai' }),
  'GET /model/info': {
    data: [
      { model_name: 'house', model_info: { max_input_tokens: 128000, supports_function_calling: true } },
    ],
  },
};

/** A server that reports only names. */
export const namesOnly: RecordedAnswers = { 'GET /v1/models': list({ id: 'm', owned_by: 'us' }) };
