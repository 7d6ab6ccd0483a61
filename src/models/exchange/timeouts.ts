import { isNear } from '../place';

/** Time limits of a request, in seconds. 0 is for ever. */
export interface Timeouts {
  /** Until the server has accepted the connection. */
  readonly connect: number;
  /** From then without a byte until the reply begins. */
  readonly firstEvent: number;
  /** Without a byte during the reply. */
  readonly idle: number;
  /** Until the reply has ended. */
  readonly total: number;
}

export type TimeoutName = keyof Timeouts;

type GivenTimeouts = { readonly [Name in TimeoutName]?: number | undefined };

/** A nearby server loads models and reads long prompts slowly, and its time costs nothing. */
const NEAR: Timeouts = { connect: 5, firstEvent: 1_200, idle: 600, total: 0 };
const CONNECT = 30;
const FIRST_EVENT = 120;
const IDLE = 90;
const TOTAL = 1_800;
/** Also for models without an endpoint. */
export const elsewhere: Timeouts = {
  connect: CONNECT,
  firstEvent: FIRST_EVENT,
  idle: IDLE,
  total: TOTAL,
};

/** The profile's limits, and the defaults for the location of the server. */
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

/** For requests of other programs: these give up early and retry themselves, so a dead address is reported soon. */
export function forClients(given: GivenTimeouts = {}): GivenTimeouts {
  return { ...given, connect: Math.min(given.connect || CLIENT_CONNECT, CLIENT_CONNECT) };
}
