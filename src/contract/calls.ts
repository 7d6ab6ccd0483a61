// The small edition: the host loads this at activation.
import * as z from 'zod/mini';
import type { Grant } from '../core/words/verdict';
import { most } from './most';

// A missing or unknown type of grant is a compile error.
const grantTypes = [
  'edits-in-session',
  'moves-in-session',
  'read-file-in-session',
  'read-folder-in-session',
  'fetch-origin-in-session',
  'mcp-server-in-session',
  'allow-commands',
  'allow-mcp-tool',
] as const satisfies readonly Grant['type'][];

const callId = z.string().check(z.maxLength(most.callId));

/** Page → host: what the user does with the card of a call, on any page. */
export const CallToHost = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('decide'),
      callId,
      answer: z.discriminatedUnion('type', [
        /** Only the name of the grant; the host's request defines what it covers. */
        z.strictObject({
          type: z.literal('run'),
          grant: z.optional(z.enum(grantTypes)),
          /** Of the offered rules those of exactly these words. */
          isExact: z.optional(z.literal(true)),
          /** Of a lasting grant; for ever if absent. */
          scope: z.optional(z.enum(['session', 'workspace'])),
        }),
        z.strictObject({ type: z.literal('reject'), reason: z.string().check(z.maxLength(most.answer)) }),
        /** As JSON. The host prepares the call again and shows it; nothing runs by this. */
        z.strictObject({ type: z.literal('edit'), arguments: z.string().check(z.maxLength(most.arguments)) }),
      ]),
    }),
    /** The user's answer to the question of a call. */
    z.strictObject({
      type: z.literal('answer'),
      callId,
      text: z.string().check(z.minLength(1), z.maxLength(most.answer)),
    }),
    /** Opens VS Code's diff editor for a waiting call. */
    z.strictObject({ type: z.literal('show-diff'), callId }),
  ]),
);
export type CallToHost = z.infer<typeof CallToHost>;

/** The user's decision about a waiting call. */
export type CallAnswer = Extract<CallToHost, { type: 'decide' }>['answer'];

/** A number that the page gives a request; its answer has the same. */
export const requestId = z.int().check(z.nonnegative());
