import { isJsonList, isJsonObject, type Json, type JsonObject } from '../base/json';
import { visibleText } from '../base/text';

/** A sentence about what was left out, for the log of the server. */
export type OnFlaw = (flaw: string) => void;

/**
 * An answer of a server as the SDK accepts it. The SDK refuses a whole answer for one bad part; here `null` in an
 * optional field is absence, what is plainly meant is mended, and a bad entry is left out alone. Never throws.
 */
export function mendAnswer(method: string, result: Json, onFlaw: OnFlaw): Json {
  if (!isJsonObject(result)) return result;
  const mend = MENDERS[method];
  if (!mend) return result;
  const { nextCursor, ...rest } = mend(result, onFlaw);
  const cursor = typeof nextCursor === 'number' ? String(nextCursor) : nextCursor;
  return typeof cursor === 'string' && cursor !== '' ? { ...rest, nextCursor: cursor } : rest;
}

type Mend = (result: JsonObject, onFlaw: OnFlaw) => JsonObject;
/** The entry as it is used, or why it cannot be, as a clause. */
type MendEntry = (entry: JsonObject) => JsonObject | string;

const MENDERS: Readonly<Record<string, Mend>> = {
  initialize: greeting,
  'server/discover': greeting,
  'tools/list': list('tools', tool),
  'prompts/list': list('prompts', prompt),
  'resources/list': list('resources', (entry) => resource(entry, 'uri')),
  'resources/templates/list': list('resourceTemplates', (entry) => resource(entry, 'uriTemplate')),
  'tools/call': callResult,
  'prompts/get': messages,
  'resources/read': list('contents', resourceContents),
};

function greeting(result: JsonObject): JsonObject {
  const { capabilities, serverInfo, instructions, ...rest } = result;
  const able = Object.entries(isJsonObject(capabilities) ? capabilities : {}).flatMap(([name, value]) =>
    isJsonObject(value)
      ? [[name, withoutNulls(value)] as const]
      : value === true
        ? [[name, {}] as const]
        : [],
  );
  const info = isJsonObject(serverInfo) ? serverInfo : {};
  const named = Object.entries(info).filter(([name, value]) => isText(value) && name !== 'icons');
  return {
    ...rest,
    capabilities: Object.fromEntries(able),
    ...(serverInfo !== undefined && { serverInfo: { name: '', version: '', ...Object.fromEntries(named) } }),
    ...(isText(instructions) && { instructions }),
  };
}

function list(key: string, mendEntry: MendEntry): Mend {
  return ({ [key]: entries, ...rest }, onFlaw) => {
    const given = entries ?? [];
    if (!isJsonList(given)) return { ...rest, [key]: given };
    const mended = given.flatMap((entry, at) => {
      const read = isJsonObject(entry) ? mendEntry(entry) : 'it is not an object';
      if (typeof read !== 'string') return [read];
      const problem = `Left out of its ${key}: ${nameOf(entry) ?? at + 1} (${read}).`;
      onFlaw(problem);
      return [];
    });
    return { ...rest, [key]: mended };
  };
}

/** For people. */
function nameOf(entry: Json): string | undefined {
  if (!isJsonObject(entry)) return undefined;
  const name = [entry['name'], entry['uri'], entry['uriTemplate'], entry['title']].find(isText);
  return name === undefined ? undefined : visibleText(name.slice(0, LONGEST_NAME));
}

/** Characters. */
const LONGEST_NAME = 100;

function tool(entry: JsonObject): JsonObject | string {
  const { name, inputSchema, outputSchema, annotations, execution, ...rest } = entry;
  if (!isText(name) || name === '') return 'it has no name';
  const read = objectSchema(inputSchema);
  if (typeof read === 'string') return read;
  const answer = outputSchema === undefined ? undefined : objectSchema(outputSchema);
  return {
    ...described(rest),
    name,
    inputSchema: read,
    ...(isJsonObject(outputSchema) && isJsonObject(answer) && { outputSchema: answer }),
    ...(isJsonObject(annotations) && { annotations: toolAnnotations(annotations) }),
    ...(isJsonObject(execution) && isTaskSupport(execution['taskSupport']) && { execution }),
  };
}

function isTaskSupport(value: Json | undefined): boolean {
  return value === 'required' || value === 'optional' || value === 'forbidden';
}

function toolAnnotations(annotations: JsonObject): JsonObject {
  const read = Object.entries(annotations).filter(([name, value]) =>
    name === 'title' ? isText(value) : !name.endsWith('Hint') || typeof value === 'boolean',
  );
  return Object.fromEntries(read);
}

/** The schema of an object, or why it is none. Without a schema there are no arguments. */
function objectSchema(given: Json | undefined): JsonObject | string {
  // PHP writes an empty mapping as a list.
  if (given === undefined || given === null || (isJsonList(given) && given.length === 0))
    return { type: 'object' };
  if (!isJsonObject(given)) return 'the schema of its arguments is not an object';
  const { type, properties, required, ...rest } = given;
  const types = type !== undefined && isJsonList(type) ? type : [type ?? 'object'];
  if (!types.includes('object')) return 'the schema of its arguments does not describe an object';
  const isEmpty = properties !== undefined && isJsonList(properties) && properties.length === 0;
  if (!isEmpty && properties !== undefined && properties !== null && !isJsonObject(properties))
    return 'the schema of its arguments has "properties" that are not an object';
  return {
    ...rest,
    type: 'object',
    ...(isJsonObject(properties) ? { properties } : isEmpty ? { properties: {} } : {}),
    ...(required !== undefined && isJsonList(required) && { required: required.filter(isText) }),
  };
}

function prompt(entry: JsonObject): JsonObject | string {
  const { name, arguments: parameters, ...rest } = entry;
  if (!isText(name) || name === '') return 'it has no name';
  const read = itemsOf(parameters).flatMap((each) => {
    if (!isJsonObject(each) || !isText(each['name'])) return [];
    const { name: argument, required, ...more } = each;
    return [{ ...described(more), name: argument, ...(typeof required === 'boolean' && { required }) }];
  });
  return { ...described(rest), name, ...(parameters !== undefined && { arguments: read }) };
}

function resource(entry: JsonObject, address: 'uri' | 'uriTemplate'): JsonObject | string {
  const { name, [address]: uri, mimeType, size, annotations: _, ...rest } = entry;
  if (!isText(uri) || uri === '') return `it has no "${address}"`;
  if (!isText(name) || name === '') return 'it has no name';
  return {
    ...described(rest),
    name,
    [address]: uri,
    ...(isText(mimeType) && { mimeType }),
    ...(typeof size === 'number' && { size }),
  };
}

/** Title and description are texts or absent. Icons are not shown anywhere. */
function described({ title, description, icons: _, _meta, ...rest }: JsonObject): JsonObject {
  return {
    ...withoutNulls(rest),
    ...(isText(title) && { title }),
    ...(isText(description) && { description }),
    ...(isJsonObject(_meta) && { _meta }),
  };
}

function callResult(result: JsonObject): JsonObject {
  const { content, structuredContent, isError, ...rest } = result;
  const blocks = blocksOf(content);
  // Servers before 2026 may only answer with objects.
  const isOther =
    structuredContent !== undefined && structuredContent !== null && !isJsonObject(structuredContent);
  const text = isOther ? [{ type: 'text', text: JSON.stringify(structuredContent) }] : [];
  return {
    ...rest,
    content: [...blocks, ...text],
    ...(isJsonObject(structuredContent) && { structuredContent }),
    ...((isError === true || isError === 'true') && { isError: true }),
  };
}

function messages(result: JsonObject): JsonObject {
  const { messages: given, description, ...rest } = result;
  const read = itemsOf(given).flatMap((each) => {
    if (!isJsonObject(each)) return [];
    const role = each['role'] === 'assistant' ? 'assistant' : 'user';
    return blocksOf(each['content']).map((content) => ({ role, content }));
  });
  return { ...rest, messages: read, ...(isText(description) && { description }) };
}

/** The readable blocks of a content; one that cannot be read is named in its place. */
function blocksOf(content: Json | undefined): readonly JsonObject[] {
  if (content === undefined || content === null) return [];
  const all = isJsonList(content) ? content : [content];
  return all.map((each) => {
    if (isText(each)) return { type: 'text', text: each };
    const { type } = isJsonObject(each) ? each : {};
    const shown = isText(type) ? visibleText(type.slice(0, LONGEST_NAME)) : 'block';
    return (
      (isJsonObject(each) ? block(each) : undefined) ?? {
        type: 'text',
        text: `[${shown} was left out: it cannot be read]`,
      }
    );
  });
}

/** Nothing if it cannot be read. */
function block({ annotations: _, _meta, ...rest }: JsonObject): JsonObject | undefined {
  const { type, text, data, mimeType, resource: held } = rest;
  switch (type) {
    case 'text':
      return isText(text) ? { type, text } : undefined;
    case 'image':
    case 'audio':
      if (!isBase64(data)) return undefined;
      return { type, data, mimeType: isText(mimeType) ? mimeType : 'application/octet-stream' };
    case 'resource_link': {
      const name = [rest['name'], rest['title'], rest['uri']].find(isText);
      const read = resource({ ...rest, ...(name !== undefined && { name }) }, 'uri');
      return typeof read === 'string' ? undefined : { ...read, type };
    }
    case 'resource': {
      const read = isJsonObject(held) ? resourceContents(held) : undefined;
      return typeof read === 'object' ? { type, resource: read } : undefined;
    }
    default:
      return undefined;
  }
}

function resourceContents({ uri, mimeType, text, blob, _meta }: JsonObject): JsonObject | string {
  if (!isText(text) && !isBase64(blob)) return 'it has neither text nor data';
  return {
    uri: isText(uri) ? uri : '',
    ...(isText(mimeType) && { mimeType }),
    ...(isText(text) ? { text } : { blob: blob ?? '' }),
    ...(isJsonObject(_meta) && { _meta }),
  };
}

function itemsOf(value: Json | undefined): readonly Json[] {
  return value !== undefined && isJsonList(value) ? value : [];
}

function isBase64(value: Json | undefined): value is string {
  return (
    isText(value) && /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value) && value.replace(/[\s=]/g, '').length % 4 !== 1
  );
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function withoutNulls(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null));
}
