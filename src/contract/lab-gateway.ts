import * as z from 'zod/mini';
import { requestId } from './calls';

const number = z.int().check(z.nonnegative());

export const GatewayToHost = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('gateway-state'), id: requestId }),
  /** Opens a reply of a request in the Parse tab. */
  z.strictObject({ type: z.literal('parse-served'), id: requestId, request: number, reply: number }),
  z.strictObject({ type: z.literal('forget-served') }),
  z.strictObject({ type: z.literal('start-gateway') }),
  z.strictObject({ type: z.literal('stop-gateway') }),
  z.strictObject({ type: z.literal('copy-gateway'), what: z.enum(['address', 'token']) }),
]);
export type GatewayToHost = z.infer<typeof GatewayToHost>;

export interface GatewayAnswers {
  readonly 'gateway-state': GatewayPage;
  /** `false` if the request is no longer kept. */
  readonly 'parse-served': boolean;
}

/** The content is outdated. */
export interface HostToGateway {
  readonly type: 'gateway-changed';
}

/** Content of the tab. */
export interface GatewayPage {
  /** Address and model name, while it runs. */
  readonly running?: { readonly address: string; readonly name: string };
  /** Last requests, newest first. */
  readonly requests: readonly ServedItem[];
}

/** A request of a client. */
export interface ServedItem {
  readonly id: number;
  readonly door: 'gateway' | 'vscode';
  readonly model: string;
  /** Time of arrival, in milliseconds since 1970. */
  readonly time: number;
  readonly state: 'running' | 'done' | 'failed' | 'stopped';
  readonly durationMs?: number;
  /** Counts of calls: passed on, repaired among these, requested again, shown as text. */
  readonly calls: number;
  readonly repaired: number;
  readonly retried: number;
  readonly rejected: number;
  /** Sentences for the user, translated. */
  readonly problems: readonly string[];
  readonly tokens?: { readonly in: number; readonly out: number; readonly isEstimated: boolean };
  /** The protocol with which each upstream reply was parsed, in order. */
  readonly protocols: readonly string[];
}
