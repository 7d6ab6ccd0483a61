import type { JsonObject } from '../../base/json';
import type { HeldForm, ReplyForm } from '../../core/words/grammar';
import type { ServerKind } from '../server-facts';

type Field = (gbnf: string) => JsonObject;

const grammar: Field = (gbnf) => ({ grammar: gbnf });

/** How servers are given a grammar; those that have nothing here take JSON schemas alone. */
const GRAMMAR_FIELDS: Readonly<Record<ServerKind, Field | undefined>> = {
  jan: grammar,
  koboldcpp: grammar,
  // Hands on to the server behind it what it does not know.
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

/** Fields of a body that hold a reply to a form; a profile that has one of them in `extraBody` decides for itself. */
export const FORM_FIELDS = [
  'grammar',
  'structured_outputs',
  'ebnf',
  'grammar_string',
  'response_format',
  'format',
] as const;

/** What the body of a request has in addition. The API over which Ollama is asked puts a schema into its own `format`. */
export function formFields(held: HeldForm | undefined, server: ServerKind | undefined): JsonObject {
  if (!held) return {};
  if (held.type === 'grammar') {
    const field = (server && GRAMMAR_FIELDS[server]) ?? grammar;
    return field(held.gbnf);
  }
  const { schema, isStrict } = held;
  return {
    response_format: { type: 'json_schema', json_schema: { name: 'reply', strict: isStrict, schema } },
  };
}

/**
 * By what a server can hold a reply of this form: a grammar where it takes one, because that leaves room for text beside
 * the calls. What nobody knows, and what stands before any server, rather knows schemas.
 */
export function formType(
  { schema }: Pick<ReplyForm, 'schema'>,
  server: ServerKind | undefined,
): HeldForm['type'] | undefined {
  const isUnknown = server === undefined || server === 'litellm';
  if (schema && (isUnknown || !GRAMMAR_FIELDS[server])) return 'schema';
  return isUnknown || GRAMMAR_FIELDS[server] ? 'grammar' : undefined;
}
