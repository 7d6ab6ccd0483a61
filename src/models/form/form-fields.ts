import type { JsonObject } from '../../base/json';
import type { ResponseFormat, ReplyForm } from '../../core/words/grammar';
import type { ServerKind } from '../server-facts';

type Field = (gbnf: string) => JsonObject;

const grammar: Field = (gbnf) => ({ grammar: gbnf });

/** How servers accept a grammar; servers not listed accept only JSON schemas. */
const GRAMMAR_FIELDS: Readonly<Record<ServerKind, Field | undefined>> = {
  jan: grammar,
  koboldcpp: grammar,
  // Passes unknown fields on to the server behind it.
  litellm: grammar,
  llamacpp: grammar,
  lmstudio: undefined,
  localai: grammar,
  mistral: undefined,
  ollama: undefined,
  openrouter: undefined,
  sglang: (gbnf) => ({ ebnf: gbnf }),
  tabbyapi: (gbnf) => ({ grammar_string: gbnf }),
  vllm: (gbnf) => ({ structured_outputs: { grammar: gbnf } }),
};

/** Body fields that enforce a form; a profile with one of them in `extraBody` takes precedence. */
export const FORM_FIELDS = [
  'grammar',
  'structured_outputs',
  'ebnf',
  'grammar_string',
  'response_format',
  'format',
] as const;

/** Additional fields for the request body. Ollama's native API puts a schema into its own `format`. */
export function formFields(format: ResponseFormat | undefined, server: ServerKind | undefined): JsonObject {
  if (!format) return {};
  if (format.type === 'grammar') {
    const field = (server && GRAMMAR_FIELDS[server]) ?? grammar;
    return field(format.gbnf);
  }
  const { schema, isStrict } = format;
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: isStrict, schema } },
  };
}

/**
 * How a server can enforce this form: a grammar if supported, because that allows text beside the calls. Unknown
 * servers and gateways are more likely to support schemas.
 */
export function formType(
  { schema }: Pick<ReplyForm, 'schema'>,
  server: ServerKind | undefined,
): ResponseFormat['type'] | undefined {
  const isUnknown = server === undefined || server === 'litellm';
  if (schema && (isUnknown || !GRAMMAR_FIELDS[server])) return 'schema';
  return isUnknown || GRAMMAR_FIELDS[server] ? 'grammar' : undefined;
}
