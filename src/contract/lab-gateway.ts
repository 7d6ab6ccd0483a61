import * as z from 'zod/mini';
import { requestId } from './calls';

const number = z.int().check(z.nonnegative());

export const GatewayToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('gateway-state'), id: requestId }),
  /** A reply of a request, to be looked into in the tab Parse. */
  z.strictObject({ type: z.literal('parse-served'), id: requestId, request: number, reply: number }),
  z.strictObject({ type: z.literal('forget-served') }),
  z.strictObject({ type: z.literal('start-gateway') }),
  z.strictObject({ type: z.literal('stop-gateway') }),
  z.strictObject({ type: z.literal('copy-gateway'), what: z.enum(['address', 'token']) }),
]);
export type GatewayToHost = z.infer<typeof GatewayToHost>;

export interface GatewayAnswers {
  readonly 'gateway-state': GatewayPage;
  /** `false` where the request is not kept any more. */
  readonly 'parse-served': boolean;
}

/** What was told is out of date. */
export interface HostToGateway {
  readonly type: 'gateway-changed';
}

/** All that the tab shows. */
export interface GatewayPage {
  /** Where it listens, and the name of the model that it gives, while it does. */
  readonly running?: { readonly address: string; readonly name: string };
  /** The last ones, newest first. */
  readonly requests: readonly ServedItem[];
}

/** A request of a client. */
export interface ServedItem {
  readonly id: number;
  readonly door: 'gateway' | 'vscode';
  readonly model: string;
  /** When it came, in milliseconds since 1970. */
  readonly time: number;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly durationMs?: number;
  /** Counts of calls: passed on, mended among these, asked for again, shown as text. */
  readonly calls: number;
  readonly repaired: number;
  readonly retried: number;
  readonly rejected: number;
  /** Sentences for people, in their language. */
  readonly problems: readonly string[];
  readonly tokens?: { readonly in: number; readonly out: number; readonly isEstimated: boolean };
  /** By which protocol each of the upstream's replies was read, in their order. */
  readonly protocols: readonly string[];
}
