import { isJsonList, isJsonObject, type JsonObject } from '../../base/json';
import type { ModelFailure } from '../../core/words/model';
import type { Api } from '../apis/api-name';
import { isMarked, withoutCacheMarks } from '../apis/cache-marks';
import type { Quirks } from '../fact-types';
import { adaptedApiBody, apiQuirksAfter } from './api-quirks';
import { holdImages, MESSAGE_RULES, type MessageRule } from './message-rules';
import { refusedFields, withoutFields } from './refused-fields';

type RuleName = keyof typeof MESSAGE_RULES;

const RULES: readonly (readonly [RuleName, MessageRule])[] =
  // SAFETY: the keys of the table.
  Object.entries(MESSAGE_RULES) as [RuleName, MessageRule][];

/** The body of a request as the endpoint takes it. */
export function adaptedBody<Body extends object>(body: Body, quirks: Quirks, api: Api = 'chat'): Body {
  const { fields = [], rules = [] } = quirks;
  // SAFETY: a body is JSON.
  const whole = body as unknown as JsonObject;
  const given = fields.includes(MARKS) ? withoutCacheMarks(whole) : whole;
  if (api !== 'chat') {
    // SAFETY: as above.
    return withoutFields(adaptedApiBody(api, given, quirks), fields) as unknown as Body;
  }
  const messages = RULES.reduce(
    (before, [name, { apply }]) => (rules.includes(name) ? apply(before) : before),
    messagesOf(given),
  );
  const changed = rules.length > 0 && messages.length > 0 ? { ...given, messages } : given;
  // SAFETY: the same body with fewer fields, or other names of its limit, and messages of the API.
  return withoutFields(changed, fields) as unknown as Body;
}

/** The name under which endpoints refuse marks for their cache. */
const MARKS = 'cache_control';

/** What a failure adds to the known quirks, given the body that was sent; nothing if it is about something else. */
export function quirksAfter(
  failure: ModelFailure,
  sent: JsonObject,
  known: Quirks,
  api: Api = 'chat',
): Quirks | undefined {
  if (!REFUSALS.includes(failure.code)) return undefined;
  const words = failure.said ?? failure.message;
  const { fields = [], rules = [] } = known;
  if (/cache_control/i.test(words) && !fields.includes(MARKS) && isMarked(sent))
    return { ...known, fields: [...fields, MARKS] };
  const ofApi = apiQuirksAfter(api, words, sent, known);
  if (ofApi) return ofApi;
  const messages = api === 'chat' ? messagesOf(sent) : [];
  const isNew = ([name, { pattern, apply }]: (typeof RULES)[number]): boolean =>
    !rules.includes(name) &&
    pattern.test(words) &&
    JSON.stringify(apply(messages)) !== JSON.stringify(messages);
  const [rule] = RULES.find(isNew) ?? [];
  if (rule) return { ...known, rules: [...rules, rule] };
  const refused = refusedFields(words, sent).filter(
    (field) => !fields.includes(field) && !(api === 'messages' && field === 'max_tokens'),
  );
  return refused.length > 0 ? { ...known, fields: [...fields, ...refused] } : undefined;
}

/** Templates raise their errors as 500; an endpoint without images may not be found. */
const REFUSALS: readonly ModelFailure['code'][] = ['rejected', 'not-found', 'server-error', 'no-tools'];

/** Whether a failure may be about the images of a request although it does not say so. */
export function mayBeAboutImages({ status }: ModelFailure, sent: JsonObject): boolean {
  return (status === 404 || status === 500) && holdImages(messagesOf(sent));
}

/** One sentence for each quirk, for people. */
export function quirkTexts({ fields = [], rules = [], outputLimit, isBearer }: Quirks): readonly string[] {
  return [
    ...(outputLimit === undefined ? [] : [`The endpoint allows at most ${outputLimit} tokens for a reply.`]),
    ...(isBearer ? ['The endpoint takes the key as a bearer token.'] : []),
    ...fields.map(fieldText),
    ...RULES.flatMap(([name, { text }]) => (rules.includes(name) ? [text] : [])),
  ];
}

function fieldText(field: string): string {
  return `The endpoint does not accept the field "${field}", so it is renamed or left out.`;
}

/** The sentences for what was learned since. */
export function newTexts(before: Quirks, now: Quirks): readonly string[] {
  const known = quirkTexts(before);
  return quirkTexts(now).filter((text) => !known.includes(text));
}

function messagesOf({ messages }: JsonObject): readonly JsonObject[] {
  return messages !== undefined && isJsonList(messages) ? messages.filter(isJsonObject) : [];
}
