import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import type { Api } from '../apis/api-name';
import type { Quirks } from '../fact-types';
import { REFUSAL, withoutFields } from './refused-fields';

/** Parts of a request that an endpoint of the Responses or Messages API may refuse. */
interface ApiQuirk {
  readonly api: Exclude<Api, 'chat'>;
  /** As stored in `Quirks.fields`. */
  readonly field: string;
  /** Words that mean it, in a refusal. */
  readonly pattern: RegExp;
  readonly applies: (body: JsonObject) => boolean;
  /** The body without it. */
  readonly apply: (body: JsonObject) => JsonObject;
}

/** The first that fits counts. */
const API_QUIRKS: readonly ApiQuirk[] = [
  {
    api: 'messages',
    field: 'thinking.adaptive',
    pattern: /adaptive/i,
    applies: (body) => typeIn(body['thinking']) === 'adaptive',
    apply: withBudget,
  },
  withoutField('messages', 'output_config', /output_config|\beffort\b/i),
  withoutField('messages', 'thinking', /^(?!.*messages\.\d).*(?:\bthinking\b|budget_tokens)/i),
  withoutField('responses', 'include', /encrypted[ _]content|\binclude\b/i),
  {
    api: 'responses',
    field: 'reasoning.summary',
    pattern: /summar(?:y|ies)/i,
    applies: ({ reasoning }) => isJsonObject(reasoning) && Object.hasOwn(reasoning, 'summary'),
    apply: (body) => {
      const { reasoning } = body;
      if (reasoning === undefined || !isJsonObject(reasoning)) return body;
      const { summary: _, ...others } = reasoning;
      return { ...body, reasoning: others };
    },
  },
  withoutField('responses', 'reasoning', /\breasoning\b|\beffort\b/i),
];

/** Other words with which these APIs refuse something. */
const ALSO_REFUSED = /does not match any of|must be verified|not a valid|does not have|invalid value/i;

function withoutField(api: ApiQuirk['api'], field: string, pattern: RegExp): ApiQuirk {
  return {
    ...{ api, field, pattern },
    applies: (body) => Object.hasOwn(body, field),
    apply: (body) => withoutFields(body, [field]),
  };
}

/** What a refusal adds to the quirks of an endpoint of these APIs. */
export function apiQuirksAfter(api: Api, said: string, sent: JsonObject, known: Quirks): Quirks | undefined {
  const { fields = [] } = known;
  const limit = lowerLimit(said, sent);
  if (api !== 'chat' && limit !== undefined) return { ...known, outputLimit: limit };
  if (!REFUSAL.test(said) && !ALSO_REFUSED.test(said)) return undefined;
  const quirk = API_QUIRKS.find(
    (each) =>
      each.api === api && !fields.includes(each.field) && each.pattern.test(said) && each.applies(sent),
  );
  return quirk && { ...known, fields: [...fields, quirk.field] };
}

/** The body as such an endpoint takes it. */
export function adaptedApiBody(api: Api, body: JsonObject, { fields = [], outputLimit }: Quirks): JsonObject {
  const adapted = API_QUIRKS.reduce(
    (before, each) =>
      each.api === api && fields.includes(each.field) && each.applies(before) ? each.apply(before) : before,
    body,
  );
  return outputLimit === undefined ? adapted : limited(adapted, outputLimit);
}

/** Names of the limit of a reply. */
const LIMITS = ['max_tokens', 'max_output_tokens'];

/** Smaller numbers in a refusal are no limit of a reply: versions, sizes of models. */
const LEAST_LIMIT = 256;

/** `max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307` */
function lowerLimit(said: string, sent: JsonObject): number | undefined {
  const asked = LIMITS.map((name) => sent[name]).find((value) => typeof value === 'number');
  if (asked === undefined || !/max_tokens|max_output_tokens|output tokens/i.test(said)) return undefined;
  if (/context/i.test(said)) return undefined;
  const numbers = [...said.matchAll(/(?<![\w.-])\d[\d,_]*/g)].map(([text]) =>
    Number(text.replaceAll(/[,_]/g, '')),
  );
  const lower = numbers.filter((number) => number >= LEAST_LIMIT && number < asked);
  return lower.length === 0 ? undefined : Math.max(...lower);
}

function limited(body: JsonObject, limit: number): JsonObject {
  const limits = LIMITS.flatMap((name) => {
    const asked = body[name];
    return typeof asked === 'number' && asked > limit ? [[name, limit] as const] : [];
  });
  const { thinking } = body;
  const budget = thinking !== undefined && isJsonObject(thinking) ? thinking['budget_tokens'] : undefined;
  // A budget has to leave room for the reply.
  const isTooHigh = typeof budget === 'number' && budget > limit / 2;
  const budgeted = isTooHigh && {
    thinking: { type: 'enabled', budget_tokens: Math.max(LEAST_BUDGET, Math.floor(limit / 2)) },
  };
  return { ...body, ...Object.fromEntries(limits), ...budgeted };
}

/** Tokens of thinking by effort, for models that know only budgets; the API takes 1,024 or more. */
const BUDGETS: Readonly<Record<string, number>> = { low: 2_048, medium: 8_192, high: 24_576 };
const LEAST_BUDGET = 1_024;

/** Thinking counts as part of the reply, so the reply gets as many more tokens. */
function withBudget(body: JsonObject): JsonObject {
  const { thinking: _, output_config: config, max_tokens: most, ...others } = body;
  const effort = config !== undefined && isJsonObject(config) ? config['effort'] : undefined;
  const budget = BUDGETS[typeof effort === 'string' ? effort : 'medium'] ?? LEAST_BUDGET;
  const sent: JsonObject = { ...others, ...(config !== undefined && { output_config: config }) };
  if (!mayThink(body)) return { ...sent, ...(most !== undefined && { max_tokens: most }) };
  return {
    ...sent,
    max_tokens: (typeof most === 'number' ? most : 0) + budget,
    thinking: { type: 'enabled', budget_tokens: budget },
  };
}

/** In the middle of calls, budgets need a last reply that begins with thinking: those of other models do not. */
function mayThink({ messages }: JsonObject): boolean {
  const turns = messages !== undefined && Array.isArray(messages) ? (messages as readonly Json[]) : [];
  const [reply, results] = turns.slice(-2).map(blocksIn);
  if (!results?.some((block) => typeIn(block) === 'tool_result')) return true;
  return /thinking/.test(typeIn(reply?.[0]));
}

function blocksIn(turn: Json): readonly Json[] {
  const content = isJsonObject(turn) ? turn['content'] : undefined;
  return Array.isArray(content) ? (content as readonly Json[]) : [];
}

function typeIn(value: Json | undefined): string {
  const type = value !== undefined && isJsonObject(value) ? value['type'] : undefined;
  return typeof type === 'string' ? type : '';
}
