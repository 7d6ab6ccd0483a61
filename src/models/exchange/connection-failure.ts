import type { ModelFailure, RetryHint } from '../../core/words/model';
import type { Progress } from './exchange';
import { isNear } from '../place';
import type { TimeoutName, Timeouts } from './timeouts';

/** The request and how far it had come. */
interface Way {
  /** As it may be shown. */
  readonly address: string;
  readonly baseUrl: string;
  readonly progress: Progress;
}

/** Why a connection was not made or broke before an answer. */
export function connectionFailure(error: unknown, { address, baseUrl, progress }: Way): ModelFailure {
  const codes = codesOf(error);
  if (codes.some((code) => CERTIFICATE.test(code))) {
    const message = `The certificate of ${address} is not trusted here. Add the certificate of your company to those of the system, or name its file in NODE_EXTRA_CA_CERTS.`;
    return { code: 'unreachable', message };
  }
  const proxy = proxyProblem(error);
  if (proxy !== undefined) return { code: 'unreachable', message: proxy, retry: { what: ofSentence(proxy) } };
  if (progress === 'connected') {
    // The server may have taken it, or have begun to restart: near the user, that is worth one more try.
    const what = `${address} closed the connection without an answer`;
    const message = `${what}. Look into the server's log, and send the message again.`;
    return { code: 'unreachable', message, retry: { what, ...(isNear(baseUrl) && { tries: 2 }) } };
  }
  const what = `No answer from ${address}`;
  const message = `${what}. Check that the server runs and that the address is right.`;
  return { code: 'unreachable', message, retry: { what } };
}

/** Seconds in which a server that cannot be reached is given up. */
const GIVEN_UP = 60;
/** Seconds that a pause between two tries takes at least on average. */
const PAUSE = 2;

/** One of the times that a request is waited for has run out. */
export function timedOut(
  why: TimeoutName,
  { connect, firstEvent, idle, total }: Timeouts,
  { address, baseUrl, progress }: Way,
): ModelFailure {
  switch (why) {
    case 'connect': {
      const what = `${address} did not take up the connection in ${connect} s`;
      const message = `${what}. Check that the server runs and that the address is right.`;
      const tries = Math.max(1, Math.floor(GIVEN_UP / (connect + PAUSE)));
      return { code: 'unreachable', message, retry: { what, tries } };
    }
    case 'firstEvent': {
      const what = `${address} sent nothing for ${firstEvent} s`;
      const message = `${what}. Check the server, or raise "timeouts" in the profile.`;
      // A gateway that never answered may do so the next time. A server near the user is at work, and would only begin anew.
      const retry: RetryHint | undefined =
        progress === 'taken' || isNear(baseUrl) ? undefined : { what, tries: 2 };
      return { code: 'timed-out', message, ...(retry && { retry }) };
    }
    case 'idle': {
      const message = `${address} went silent for ${idle} s in the middle of the reply. Check the server, or raise "timeouts" in the profile.`;
      return { code: 'timed-out', message };
    }
    case 'total': {
      const message = `The reply of ${address} did not end in ${total} s and was broken off. Ask for less at a time, or raise "timeouts" in the profile.`;
      return { code: 'timed-out', message };
    }
  }
}

/** How Node and OpenSSL say that a certificate is not to be trusted. */
const CERTIFICATE =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|LEAF_SIGNATURE|ALTNAME_INVALID|HOSTNAME_MISMATCH/;

/** The codes of an error and of what caused it. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') codes.push(cause.code);
    cause = cause.cause;
  }
  return codes;
}

/** What a route says of its proxy, which is a sentence of its own. */
function proxyProblem(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (cause.name === 'ProxyProblem') return cause.message;
    cause = cause.cause;
  }
  return undefined;
}

/** What happened, without the sentence that says what to do. */
function ofSentence(text: string): string {
  return text.replace(/\. .*$/, '').replace(/\.$/, '');
}
