import * as z from 'zod/mini';
import type { AgentEvent } from '../core/words/events';

const text = z.string();
const number = z.number();
const json = z.record(z.string(), z.unknown());

const diagnostic = z.looseObject({
  code: text,
  level: z.enum(['info', 'warning', 'error']),
  message: text,
  hint: text,
  seen: z.optional(text),
  start: number,
  end: number,
});

const call = z.looseObject({
  id: text,
  name: text,
  arguments: json,
  start: number,
  end: number,
  notes: z.array(diagnostic),
  mark: z.enum(['clean', 'repaired', 'recovered', 'echoed']),
  extra: z.optional(json),
});

const malformed = z.looseObject({ id: text, name: text, diagnostic, extra: z.optional(json) });

const image = z.looseObject({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: text,
});

const sandbox = z.looseObject({ sites: z.array(text) });

export const toolResult = z.looseObject({
  requestId: text,
  toolName: text,
  status: z.enum(['success', 'error', 'denied']),
  result: text,
  images: z.optional(z.array(image)),
  defines: z.optional(z.array(text)),
  rules: z.optional(z.array(z.looseObject({ file: text, characters: number }))),
  sandbox: z.optional(sandbox),
  durationMs: number,
});

const grant = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['edits-in-session', 'moves-in-session']) }),
  z.looseObject({ type: z.enum(['read-file-in-session', 'read-folder-in-session']), path: text }),
  z.looseObject({ type: z.literal('fetch-origin-in-session'), origin: text }),
  z.looseObject({
    type: z.literal('allow-commands'),
    rules: z.array(z.looseObject({ text, runsCode: z.boolean() })),
    exact: z.optional(z.array(z.looseObject({ text, runsCode: z.boolean() }))),
  }),
  z.looseObject({ type: z.literal('allow-mcp-tool'), server: text, tool: text, digest: text }),
]);

const effect = z.enum(['read', 'write', 'execute', 'network']);

const verdict = z.looseObject({
  decision: z.enum(['auto', 'ask', 'deny']),
  reason: text,
  grant: z.optional(grant),
});

const access = z.looseObject({
  effect,
  target: text,
  kind: z.enum(['path', 'edit', 'move', 'command', 'url', 'agent', 'mcp']),
  verdict,
  notes: z.optional(z.array(text)),
});

const preview = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('diff'), path: text, before: text, after: text }),
  z.looseObject({
    type: z.literal('command'),
    command: text,
    cwd: text,
    commands: z.array(z.array(text)),
    setup: z.optional(text),
    sandbox: z.optional(sandbox),
  }),
]);

const request = z.looseObject({
  call,
  effect,
  title: text,
  accesses: z.array(access),
  preview: z.optional(preview),
  parameters: z.optional(json),
  edited: z.optional(json),
  problem: z.optional(text),
});

const usage = z.looseObject({
  inputTokens: number,
  outputTokens: number,
  cachedTokens: z.optional(number),
  cacheWriteTokens: z.optional(number),
  cost: z.optional(number),
});

const carried = z.looseObject({
  origin: text,
  model: text,
  fields: z.optional(json),
  lead: z.optional(z.union([text, z.array(json)])),
  output: z.optional(z.looseObject({ api: text, items: z.array(json) })),
});

const decision = z.looseObject({
  type: z.enum(['run', 'reject']),
  by: z.enum(['policy', 'user']),
  reason: text,
});

const outcome = z.discriminatedUnion('type', [
  z.looseObject({ type: z.enum(['done', 'aborted']) }),
  z.looseObject({ type: z.enum(['budget', 'failed']), message: text }),
]);

const attachment = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('text'),
    source: z.enum([
      'file',
      'folder',
      'problems',
      'terminal',
      'selection',
      'editor',
      'skill',
      'prompt',
      'resource',
    ]),
    label: text,
    text,
  }),
  z.looseObject({
    type: z.literal('image'),
    label: text,
    image,
  }),
  z.looseObject({ type: z.literal('missing'), label: text, problem: text }),
]);

const fileChange = z.looseObject({
  path: text,
  display: text,
  before: text,
  mode: z.optional(number),
  after: z.optional(text),
});

/** One row for each event; unlisted fields are kept unchanged. */
const events: Record<AgentEvent['type'], z.ZodMiniType> = {
  'run-start': z.looseObject({ text, time: number, attachments: z.optional(z.array(attachment)) }),
  'run-resume': z.looseObject({ time: number }),
  'round-start': z.looseObject({ round: number, maxRounds: number, protocol: text, model: text }),
  text: z.looseObject({ text }),
  reasoning: z.looseObject({ text }),
  'reasoning-end': z.looseObject({ text }),
  'call-start': z.looseObject({ index: number, name: text }),
  'call-delta': z.looseObject({ index: number, key: text, text }),
  'call-end': z.looseObject({ index: number, call }),
  malformed: z.looseObject({ index: number, malformed }),
  warning: z.looseObject({ diagnostic }),
  progress: z.looseObject({
    stage: z.enum(['loading', 'busy', 'taken', 'reading']),
    prompt: z.optional(z.looseObject({ read: number, all: number, cached: number })),
  }),
  retry: z.looseObject({ attempt: number, of: number, waitMs: number, message: text }),
  'reply-end': z.looseObject({
    reason: z.enum(['stop', 'length', 'tool-calls', 'content-filter', 'cut', 'aborted', 'repetition']),
    raw: text,
    repeated: z.optional(text),
    usage: z.optional(usage),
    carried: z.optional(carried),
    timing: z.optional(z.looseObject({ firstMs: number, totalMs: number })),
  }),
  'approval-request': z.looseObject({ request, reason: text, grants: z.array(grant) }),
  'approval-end': z.looseObject({ callId: text, decision }),
  'tool-start': z.looseObject({ callId: text, title: text, allowedBy: z.optional(text) }),
  'tool-output': z.looseObject({ callId: text, text }),
  question: z.looseObject({ callId: text, question: text, options: z.array(text) }),
  'question-end': z.looseObject({ callId: text, answer: text }),
  'file-change': z.looseObject({ callId: text, change: fileChange }),
  'tool-end': z.looseObject({ callId: text, result: toolResult }),
  'sub-agent': z.looseObject({ callId: text, event: z.lazy(() => agentEvent) }),
  advice: z.looseObject({ protocol: text, message: text }),
  'run-end': z.looseObject({ outcome }),
  'compaction-start': z.looseObject({ note: z.optional(text) }),
  compaction: z.looseObject({
    ...{ entries: number, summary: text, before: number, after: number },
    writtenBy: z.optional(text),
    usage: z.optional(usage),
  }),
  'compaction-undo': z.looseObject({}),
  restore: z.looseObject({
    entry: number,
    changes: z.array(fileChange),
    left: z.optional(z.array(z.looseObject({ display: text, reason: text }))),
  }),
  rewind: z.looseObject({ entry: number }),
};

const tagged = z.looseObject({ type: z.string() });

const agentEvent: z.ZodMiniType = z.lazy(() => z.unknown().check(z.refine(isAgentEvent)));

/** Whether stored data is an event as this version knows them. */
export function isAgentEvent(value: unknown): value is AgentEvent {
  const { success, data } = tagged.safeParse(value);
  if (!success || !Object.hasOwn(events, data.type)) return false;
  // SAFETY: the line above checked that the table has such a row.
  return events[data.type as AgentEvent['type']].safeParse(value).success;
}
