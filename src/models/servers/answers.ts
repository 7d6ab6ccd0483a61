import { parameterCount, tokenCount, type ServerFacts, type ServerKind } from '../server-facts';

/*
 * One parser for each kind of answer about servers and models. Any field may be missing or of any type; a parser then
 * returns less. Sources: the servers' code and documentation as of August 2026.
 */

/** A model that a server lists. */
export interface ListedModel {
  readonly id: string;
  readonly facts: ServerFacts;
  /** llama.cpp with several models: whether this one is loaded now. */
  readonly status?: string;
}

/** Maximum number of models read. */
const MODELS_READ = 2_000;

/** `GET /v1/models` of any server; nothing for any other answer. */
export function readModelList(answer: unknown): readonly ListedModel[] | undefined {
  // Together's list has no wrapper, but then a web page or error must not be mistaken for one.
  const list =
    Array.isArray(answer) && answer.some((each) => text(each, 'object') === 'model')
      ? answer
      : field(answer, 'data');
  if (!Array.isArray(list)) return undefined;
  const entries = (list as readonly unknown[]).slice(0, MODELS_READ);
  return entries.flatMap((entry) => {
    const id = text(entry, 'id');
    if (id === undefined || id === '') return [];
    const parent = text(entry, 'parent');
    // vLLM serves an adapter with the window of its base model.
    const below = parent === undefined ? undefined : entries.find((each) => field(each, 'id') === parent);
    const status = text(field(entry, 'status'), 'value');
    const facts = { ...(below !== undefined && entryFacts(below)), ...entryFacts(entry) };
    return [{ id, facts, ...(status !== undefined && { status }) }];
  });
}

const OWNERS: Readonly<Record<string, ServerKind>> = {
  koboldcpp: 'koboldcpp',
  llamacpp: 'llamacpp',
  tabbyAPI: 'tabbyapi',
  vllm: 'vllm',
  sglang: 'sglang',
  library: 'ollama',
  mistralai: 'mistral',
};

/** One entry of `/v1/models`, for all server families. */
function entryFacts(entry: unknown): ServerFacts {
  const meta = field(entry, 'meta');
  const top = field(entry, 'top_provider');
  const parameters = words(field(entry, 'supported_parameters'));
  const architecture = field(entry, 'architecture');
  const modalities =
    words(field(architecture, 'input_modalities')) ?? words(field(entry, 'input_modalities'));
  const capabilities = field(entry, 'capabilities');
  const isMistral = flag(capabilities, 'completion_chat') !== undefined;
  const most = tokenCount(field(entry, 'max_context_length'));
  const status = text(field(entry, 'status'), 'value');
  const state = text(entry, 'state');
  return said({
    kind: kindOf(entry, { isMistral, isOpenRouter: isObject(top) || parameters !== undefined }),
    window: first(
      tokenCount(field(entry, 'max_model_len')),
      tokenCount(field(meta, 'n_ctx')),
      tokenCount(field(entry, 'loaded_context_length')),
      least(tokenCount(field(top, 'context_length')), tokenCount(field(entry, 'context_length'))),
      tokenCount(field(entry, 'context_window')),
      // On Mistral's own service this is the context window; elsewhere it is the maximum.
      isMistral ? most : undefined,
    ),
    trainedWindow: first(tokenCount(field(meta, 'n_ctx_train')), isMistral ? undefined : most),
    maxOutput: tokenCount(field(top, 'max_completion_tokens')),
    vision: first(
      modalities?.includes('image'),
      flag(capabilities, 'vision'),
      flag(entry, 'supports_image_in'),
      flag(entry, 'supports_image_input'),
    ),
    tools: first(
      parameters?.includes('tools'),
      flag(capabilities, 'function_calling'),
      flag(entry, 'supports_tools'),
    ),
    thinks: first(
      parameters && (parameters.includes('reasoning') || parameters.includes('include_reasoning')),
      flag(capabilities, 'reasoning'),
      flag(entry, 'supports_reasoning'),
    ),
    isLoaded: first(
      status === undefined ? undefined : status === 'loaded' || status === 'sleeping',
      state === undefined ? undefined : state === 'loaded',
    ),
    parameters: parameterCount(field(meta, 'n_params')),
  });
}

function kindOf(
  entry: unknown,
  is: { readonly isMistral: boolean; readonly isOpenRouter: boolean },
): ServerKind | undefined {
  const owner = text(entry, 'owned_by');
  if (owner !== undefined && Object.hasOwn(OWNERS, owner)) return OWNERS[owner];
  if (is.isMistral) return 'mistral';
  return is.isOpenRouter ? 'openrouter' : undefined;
}

/** `GET /props` of llama.cpp; nothing for the answer of another server. */
export function readProps(answer: unknown): ServerFacts | undefined {
  const settings = field(answer, 'default_generation_settings');
  const caps = field(answer, 'chat_template_caps');
  if (!isObject(settings) && !isObject(caps)) return undefined;
  const window = tokenCount(field(settings, 'n_ctx'));
  return said({
    kind: 'llamacpp',
    version: text(answer, 'build_info'),
    window,
    vision: flag(field(answer, 'modalities'), 'vision'),
    tools: first(flag(caps, 'supports_tools'), flag(caps, 'supports_tool_calls')),
    thinks: templateThinks(answer, caps),
    effort: flag(caps, 'supports_reasoning_effort'),
    isLoaded: window === undefined ? undefined : true,
  });
}

/** A template that only removes old reasoning does not show that the model has none. */
function templateThinks(props: unknown, caps: unknown): true | undefined {
  if (flag(caps, 'supports_preserve_reasoning') === true) return true;
  if (flag(caps, 'supports_reasoning_effort') === true) return true;
  const template = text(props, 'chat_template') ?? '';
  return /enable_thinking|reasoning_content|<think>|\[THINK\]|<\|channel\|>/.test(template) || undefined;
}

/** `GET /version` of vLLM, `GET /api/version` of Ollama. */
export function readVersion(answer: unknown): ServerFacts {
  return said({ version: text(answer, 'version') });
}

/** `GET /api/v1/models` of LM Studio from 0.4 on. */
export function readLmStudio(answer: unknown, model: string): ServerFacts | undefined {
  const models = field(answer, 'models');
  if (!Array.isArray(models)) return undefined;
  for (const each of models as readonly unknown[]) {
    const loaded = list(field(each, 'loaded_instances'));
    const named = loaded.filter((instance) => text(instance, 'id') === model);
    const key = text(each, 'key');
    // A key may name the quantization after an @.
    if (named.length === 0 && key !== model && key !== model.split('@', 1)[0]) continue;
    const capabilities = field(each, 'capabilities');
    const windows = (named.length > 0 ? named : loaded).map((instance) =>
      tokenCount(field(field(instance, 'config'), 'context_length')),
    );
    const reasoning = words(field(field(capabilities, 'reasoning'), 'allowed_options'));
    return said({
      kind: 'lmstudio',
      // Any of them may answer.
      window: least(...windows),
      trainedWindow: tokenCount(field(each, 'max_context_length')),
      vision: flag(capabilities, 'vision'),
      tools: flag(capabilities, 'trained_for_tool_use'),
      thinks: first(
        reasoning?.some((option) => option !== 'off'),
        flag(capabilities, 'reasoning'),
      ),
      isLoaded: loaded.length > 0,
      canLoad: true,
    });
  }
  // Only with loaded models does the answer have the unique shape of LM Studio.
  return models.some((each) => Array.isArray(field(each, 'loaded_instances')))
    ? { kind: 'lmstudio' }
    : undefined;
}

/** `GET /api/v0/models` of older LM Studio. */
export function readOldLmStudio(answer: unknown, model: string): ServerFacts | undefined {
  const models = list(field(answer, 'data'));
  const found = models.find((each) => text(each, 'id') === model);
  if (!models.some((each) => text(each, 'state') !== undefined)) return undefined;
  if (found === undefined) return { kind: 'lmstudio' };
  const type = text(found, 'type');
  return said({
    kind: 'lmstudio',
    window: tokenCount(field(found, 'loaded_context_length')),
    trainedWindow: tokenCount(field(found, 'max_context_length')),
    vision: type === 'vlm' ? true : type === 'llm' ? false : undefined,
    tools: words(field(found, 'capabilities'))?.includes('tool_use'),
    isLoaded: text(found, 'state') === undefined ? undefined : text(found, 'state') === 'loaded',
  });
}

/** `GET /api/ps` of Ollama: loaded models with their current window. */
export function readOllamaLoaded(answer: unknown, model: string): ServerFacts | undefined {
  const models = field(answer, 'models');
  if (!Array.isArray(models)) return undefined;
  const found = (models as readonly unknown[]).find(
    (each) => isOllamaName(text(each, 'name'), model) || isOllamaName(text(each, 'model'), model),
  );
  if (found === undefined) return { isLoaded: false };
  return said({ window: tokenCount(field(found, 'context_length')), isLoaded: true });
}

/** Ollama's `:latest` may be omitted, and names are case-insensitive. */
function isOllamaName(listed: string | undefined, model: string): boolean {
  const whole = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`).toLowerCase();
  return listed !== undefined && whole(listed) === whole(model);
}

/** `POST /api/show` of Ollama. `parameters` is text, with `num_ctx` only if the Modelfile sets it. */
export function readOllamaModel(answer: unknown): ServerFacts | undefined {
  const info = field(answer, 'model_info');
  const capabilities = words(field(answer, 'capabilities'));
  if (!isObject(info) && capabilities === undefined) return undefined;
  const architecture = text(info, 'general.architecture');
  const trained = architecture === undefined ? undefined : field(info, `${architecture}.context_length`);
  const set = /^\s*num_ctx\s+(\d{1,12})\s*$/m.exec(text(answer, 'parameters') ?? '')?.[1];
  const trainedWindow = tokenCount(trained ?? onlyContextLength(info));
  return said({
    kind: 'ollama',
    // Ollama reduces the requested window.
    window: set === undefined ? undefined : least(tokenCount(Number(set)), trainedWindow),
    trainedWindow,
    vision: capabilities?.includes('vision'),
    tools: capabilities?.includes('tools'),
    thinks: capabilities?.includes('thinking'),
    parameters: first(
      parameterCount(field(info, 'general.parameter_count')),
      parameterCount(field(field(answer, 'details'), 'parameter_size')),
    ),
  });
}

function onlyContextLength(info: unknown): unknown {
  if (!isObject(info)) return undefined;
  return Object.entries(info).find(([name]) => /^[\w-]+\.context_length$/.test(name))?.[1];
}

/** `GET /get_server_info` of SGLang: its start parameters. */
export function readSglang(answer: unknown): ServerFacts | undefined {
  if (!isObject(answer) || !('tool_call_parser' in answer || 'max_total_num_tokens' in answer))
    return undefined;
  const parser = answer['tool_call_parser'];
  return said({
    kind: 'sglang',
    version: text(answer, 'version'),
    // A prompt cannot be longer than the cache, whatever the model supports.
    window: least(tokenCount(answer['context_length']), tokenCount(answer['max_total_num_tokens'])),
    // Without a parser, calls are returned as text.
    tools: parser === null ? false : typeof parser === 'string' ? true : undefined,
    thinks: typeof answer['reasoning_parser'] === 'string' ? true : undefined,
    vision: flag(answer, 'enable_multimodal'),
  });
}

/** `GET /model/info` of LiteLLM. Entries with the same name share its requests. */
export function readLiteLlm(answer: unknown, model: string): ServerFacts | undefined {
  const entries = list(field(answer, 'data'));
  if (!entries.some((each) => isObject(field(each, 'model_info')))) return undefined;
  const infos = entries
    .filter((each) => text(each, 'model_name') === model)
    .map((each) => field(each, 'model_info'));
  const everywhere = (name: string): boolean | undefined => {
    const flags = infos.map((info) => flag(info, name)).filter((each) => each !== undefined);
    return flags.length === 0 ? undefined : flags.every(Boolean);
  };
  return said({
    kind: 'litellm',
    window: least(...infos.map((info) => tokenCount(field(info, 'max_input_tokens')))),
    maxOutput: least(...infos.map((info) => tokenCount(field(info, 'max_output_tokens')))),
    vision: everywhere('supports_vision'),
    tools: everywhere('supports_function_calling'),
    thinks: everywhere('supports_reasoning'),
  });
}

/** `GET /v1/models/capabilities` of LocalAI. */
export function readLocalAi(answer: unknown, model: string): ServerFacts | undefined {
  const entries = list(field(answer, 'data'));
  if (!entries.some((each) => Array.isArray(field(each, 'capabilities')))) return undefined;
  const found = entries.find((each) => text(each, 'id') === model);
  const capabilities = words(field(found, 'capabilities'))?.map((each) => each.toLowerCase());
  const has = (pattern: RegExp): true | undefined =>
    capabilities?.some((each) => pattern.test(each)) === true ? true : undefined;
  return said({
    kind: 'localai',
    window: first(tokenCount(field(found, 'context_size')), tokenCount(field(found, 'context_length'))),
    vision: first(words(field(found, 'input_modalities'))?.includes('image'), has(/vision|image_input/)),
    tools: has(/^(?:flag_)?(?:tools?|function_?call\w*|tool_?use)$/),
    thinks: has(/reasoning|thinking/),
  });
}

type AnswerFields<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Without missing facts. */
function said(facts: AnswerFields<ServerFacts>): ServerFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function first<T>(...values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}

function least(...values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function text(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

function flag(value: unknown, name: string): boolean | undefined {
  const found = field(value, name);
  return typeof found === 'boolean' ? found : undefined;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The strings of a list; nothing if there is none. */
function words(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}
