import { isJsonObject, type Json, type JsonObject } from '../base/json';
import type { ApiRequest } from './api';

/**
 * As long as calls are possible, the form that a client wants for the answer is described instead of enforced: a server
 * that enforces it cannot write a call. Without tools the request stays as it is.
 */
export function withAnswerForm<Request extends ApiRequest>(request: Request): Request {
  const { tools, rest, instructions } = request;
  if (tools.length === 0) return request;
  const forms = Object.entries(FORM_FIELDS).flatMap(([field, describe]) => describe(rest[field] ?? null));
  const passed = Object.entries(rest).filter(([field]) => !Object.hasOwn(FORM_FIELDS, field));
  const described = forms.length === 0 ? [] : [INTRODUCTION, ...forms];
  return {
    ...request,
    rest: Object.fromEntries(passed),
    instructions: [instructions, described.join('\n')].filter(Boolean).join('\n\n'),
  };
}

const INTRODUCTION =
  'Call tools as described whenever they are needed. When you give your final answer, write nothing but a text of this form, without a code block:';

type Describe = (value: Json) => readonly string[];

/** Fields with which clients have a form enforced: the API's own, and those of vLLM and llama.cpp. */
const FORM_FIELDS: Readonly<Record<string, Describe>> = {
  response_format: responseFormat,
  structured_outputs: structuredOutputs,
  guided_json: schemaForm,
  json_schema: schemaForm,
  guided_regex: textForm('A text that matches the regular expression'),
  guided_choice: choiceForm,
  guided_grammar: textForm('A text of the grammar'),
  grammar: textForm('A text of the grammar'),
};

/** Servers differ in where they expect the schema. */
function responseFormat(value: Json): readonly string[] {
  if (!isJsonObject(value)) return [];
  const { type = null, schema, json_schema: named, grammar = null } = value;
  const inner = isJsonObject(named) ? (named['schema'] ?? named) : schema;
  if (type === 'text') return [];
  if (isJsonObject(inner)) return schemaForm(inner);
  if (type === 'grammar' || type === 'regex') return textForm('A text of the grammar')(grammar);
  return type === 'json_object' || type === 'json_schema' ? ['One JSON object.'] : [];
}

/** vLLM's field for all forms. */
function structuredOutputs(value: Json): readonly string[] {
  if (!isJsonObject(value)) return [];
  const { json = null, regex = null, choice = null, grammar = null, json_object: isObject } = value;
  return [
    ...schemaForm(json),
    ...textForm('A text that matches the regular expression')(regex),
    ...choiceForm(choice),
    ...textForm('A text of the grammar')(grammar),
    ...(isObject === true ? ['One JSON object.'] : []),
  ];
}

function schemaForm(value: Json): readonly string[] {
  if (value === null) return [];
  const schema = typeof value === 'string' ? value : JSON.stringify(value);
  return [`One JSON value of the JSON schema ${schema}`];
}

function choiceForm(value: Json): readonly string[] {
  return value === null ? [] : [`One of these texts: ${JSON.stringify(value)}`];
}

function textForm(what: string): Describe {
  return (value) => (typeof value === 'string' ? [`${what}: ${value}`] : []);
}

/** The field of the Chat Completions API for a schema as other APIs give it; plain text is the default. */
export function responseFormatField(format: Json | undefined): JsonObject {
  if (!isJsonObject(format)) return {};
  const { type, ...form } = format;
  if (type === 'json_schema') return { response_format: { type, json_schema: { name: 'answer', ...form } } };
  return type === 'json_object' ? { response_format: { type } } : {};
}
