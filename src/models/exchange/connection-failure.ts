import type { ModelFailure, RetryHint } from '../../core/words/model';
import type { Progress } from './exchange';
import { isNear } from '../place';
import type { TimeoutName, Timeouts } from './timeouts';

/** The request and its progress. */
interface Way {
  /** In displayable form. */
  readonly address: string;
  readonly baseUrl: string;
  readonly progress: Progress;
}

/** Why a connection failed or was lost before a response. */
export function connectionFailure(error: unknown, { address, baseUrl, progress }: Way): ModelFailure {
  const own = certificateProblem(error);
  if (own !== undefined) return { code: 'not-configured', message: own };
  const codes = codesOf(error);
  if (codes.some((code) => CERTIFICATE_WANTED.test(code))) {
    const message = `${address} wants a client certificate, or does not accept the one of the profile. Check "tls" in the profile.`;
    return { code: 'unreachable', message };
  }
  if (codes.some((code) => CERTIFICATE.test(code))) {
    const message = `The certificate of ${address} is not trusted here. Add the certificate of your company to those of the system, or name its file in NODE_EXTRA_CA_CERTS.`;
    return { code: 'unreachable', message };
  }
  const proxy = proxyProblem(error);
  if (proxy !== undefined) return { code: 'unreachable', message: proxy, retry: { what: ofSentence(proxy) } };
  if (progress === 'connected') {
    // The server may have accepted it, or be restarting: for a nearby server, that is worth one more attempt.
    const what = `${address} closed the connection without an answer`;
    const message = `${what}. Look into the server's log, and send the message again.`;
    return { code: 'unreachable', message, retry: { what, ...(isNear(baseUrl) && { tries: 2 }) } };
  }
  const what = `No answer from ${address}`;
  const message = `${what}. Check that the server runs and that the address is right.`;
  return { code: 'unreachable', message, retry: { what } };
}

/** Seconds after which an unreachable server is given up. */
const GIVEN_UP = 60;
/** Minimum average pause in seconds between two attempts. */
const PAUSE = 2;

/** One of the timeouts of a request has expired. */
export function timedOut(
  why: TimeoutName,
  { connect, firstEvent, idle, total }: Timeouts,
  { address, baseUrl, progress }: Way,
): ModelFailure {
  switch (why) {
    case 'connect': {
      const what = `${address} did not accept the connection within ${connect} s`;
      const message = `${what}. Check that the server runs and that the address is right.`;
      const tries = Math.max(1, Math.floor(GIVEN_UP / (connect + PAUSE)));
      return { code: 'unreachable', message, retry: { what, tries } };
    }
    case 'firstEvent': {
      const what = `${address} sent nothing for ${firstEvent} s`;
      const message = `${what}. Check the server, or raise "timeouts" in the profile.`;
      // A gateway that never answered may do so next time. A nearby server is working, and would only start over.
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

/** Alerts of a server about the certificate of its client. */
const CERTIFICATE_WANTED =
  /ALERT_(?:CERTIFICATE|BAD_CERTIFICATE|NO_CERTIFICATE|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE|ACCESS_DENIED|HANDSHAKE_FAILURE)/;

/** Codes of Node and OpenSSL for an untrusted certificate. */
const CERTIFICATE =
  /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|LEAF_SIGNATURE|ALTNAME_INVALID|HOSTNAME_MISMATCH/;

/** Codes of an error and its causes. */
function codesOf(error: unknown): readonly string[] {
  const codes: string[] = [];
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if ('code' in cause && typeof cause.code === 'string') codes.push(cause.code);
    cause = cause.cause;
  }
  return codes;
}

/** A proxy error, which is a full sentence. */
function proxyProblem(error: unknown): string | undefined {
  return problemOf(error, 'ProxyProblem');
}

/** Why the profile's own certificate cannot be used, in a full sentence. */
function certificateProblem(error: unknown): string | undefined {
  return problemOf(error, 'CertificateProblem');
}

function problemOf(error: unknown, name: string): string | undefined {
  let cause = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if (cause.name === name) return cause.message;
    cause = cause.cause;
  }
  return undefined;
}

/** The failure, without the next step. */
function ofSentence(text: string): string {
  return text.replace(/\. .*$/, '').replace(/\.$/, '');
}
