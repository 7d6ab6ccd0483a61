import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { apiOf, type ModelProfile } from '../profiles';

interface Converted {
  readonly profile: ModelProfile;
  /** Names of fields that the API does not have. */
  readonly dropped: readonly string[];
}

type Convert = (value: Json, profile: ModelProfile) => JsonObject;

/** By the name of the field in the Chat Completions API. */
type Conversions = Readonly<Record<string, Convert>>;

const RESPONSES: Conversions = {
  ...as('max_output_tokens', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'),
  ...same(
    'temperature',
    'top_p',
    'metadata',
    'user',
    'safety_identifier',
    'prompt_cache_key',
    'service_tier',
  ),
  reasoning_effort: (effort) => ({ reasoning: { effort } }),
  response_format: (format) => ({ text: { format: textFormat(format) } }),
};

const MESSAGES: Conversions = {
  ...as('max_tokens', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'),
  ...same('top_p', 'top_k'),
  temperature: (value) => ({ temperature: typeof value === 'number' ? Math.min(1, value) : value }),
  reasoning_effort: (effort) =>
    effort === 'none'
      ? { thinking: { type: 'disabled' } }
      : { thinking: { type: 'adaptive' }, output_config: { effort: effort === 'minimal' ? 'low' : effort } },
  response_format: (format, { effort }) => {
    const schema = schemaIn(format);
    const config = effort === undefined || effort === 'none' ? {} : { effort };
    return schema ? { output_config: { ...config, format: { type: 'json_schema', schema } } } : {};
  },
};

/** Fields that only say how the reply is sent, or what this API does anyway. */
const WITHOUT_MEANING = ['stream_options', 'store'];

/**
 * The profile with fields of a client's request, which have the names of the Chat Completions API, as its own API names
 * them.
 */
export function withClientFields(profile: ModelProfile, fields: JsonObject): Converted {
  const api = apiOf(profile);
  const { extraBody } = profile;
  if (api === 'chat') return { profile: { ...profile, extraBody: { ...extraBody, ...fields } }, dropped: [] };
  const conversions = api === 'responses' ? RESPONSES : MESSAGES;
  const entries = Object.entries(fields).filter(([, value]) => value !== null);
  const converted = entries.map(([name, value]): readonly [string, JsonObject] => [
    name,
    Object.hasOwn(conversions, name) ? (conversions[name]?.(value, profile) ?? {}) : {},
  ]);
  const body = converted.reduce<JsonObject>((before, [, each]) => ({ ...before, ...each }), extraBody ?? {});
  const dropped = converted.flatMap(([name, each]) =>
    Object.keys(each).length === 0 && !WITHOUT_MEANING.includes(name) ? [name] : [],
  );
  return { profile: { ...profile, extraBody: body }, dropped };
}

function as(name: string, ...from: readonly string[]): Conversions {
  return Object.fromEntries(from.map((each) => [each, (value: Json) => ({ [name]: value })]));
}

function same(...names: readonly string[]): Conversions {
  return Object.fromEntries(names.map((name) => [name, (value: Json) => ({ [name]: value })]));
}

/** The API has the fields of `json_schema` beside the type. */
function textFormat(format: Json): Json {
  if (!isJsonObject(format)) return format;
  const { json_schema: named, ...others } = format;
  return named !== undefined && isJsonObject(named) ? { ...others, ...named } : others;
}

function schemaIn(format: Json): JsonObject | undefined {
  const named = isJsonObject(format) ? format['json_schema'] : undefined;
  const schema = named !== undefined && isJsonObject(named) ? named['schema'] : undefined;
  return schema !== undefined && isJsonObject(schema) ? schema : undefined;
}
