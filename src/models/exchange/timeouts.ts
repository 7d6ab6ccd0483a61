import { isNear } from '../place';

/** How long a request is waited for, in seconds. 0 is for ever. */
export interface Timeouts {
  /** Until the server has taken up the connection. */
  readonly connect: number;
  /** From then without a byte until something of the reply arrives. */
  readonly firstEvent: number;
  /** Without a byte in the middle of the reply. */
  readonly idle: number;
  /** Until the reply has ended. */
  readonly total: number;
}

export type TimeoutName = keyof Timeouts;

type GivenTimeouts = { readonly [Name in TimeoutName]?: number | undefined };

/** A server near the user loads models and reads long prompts at its own pace, and nobody pays for the time. */
const NEAR: Timeouts = { connect: 5, firstEvent: 1_200, idle: 600, total: 0 };
const CONNECT = 30;
const FIRST_EVENT = 120;
const IDLE = 90;
const TOTAL = 1_800;
/** Also for models that are reached in another way. */
export const elsewhere: Timeouts = {
  connect: CONNECT,
  firstEvent: FIRST_EVENT,
  idle: IDLE,
  total: TOTAL,
};

/** Those of the profile, and those of the place where it does not say. */
export function timeoutsFor(baseUrl: string, own: GivenTimeouts = {}): Timeouts {
  const usual = isNear(baseUrl) ? NEAR : elsewhere;
  return {
    connect: own.connect ?? usual.connect,
    firstEvent: own.firstEvent ?? usual.firstEvent,
    idle: own.idle ?? usual.idle,
    total: own.total ?? usual.total,
  };
}

/** Seconds. */
const CLIENT_CONNECT = 10;

/** Of requests that other programs make: these give up early and try again by themselves, so a dead address is named soon. */
export function forClients(given: GivenTimeouts = {}): GivenTimeouts {
  return { ...given, connect: Math.min(given.connect || CLIENT_CONNECT, CLIENT_CONNECT) };
}
