import { parseObject } from '../../../base/json';
import type { CallToHost } from '../../../contract/calls';
import type { Session } from '../../../core/session';
import { isEdited, waitingCall, type WaitingCall } from '../../../core/transcript/waiting-call';
import type { Platform } from '../../platform/platform';

interface DecisionParts {
  /** Every call of the session comes from a page. */
  readonly isPagesOwn: boolean;
  /** Previews the call outside of the page, and asks. Rejects when the signal aborts. */
  readonly confirm: (call: WaitingCall, signal: AbortSignal) => Promise<boolean>;
  readonly onError: (error: unknown) => void;
}

/** Decisions of a page of this window: VS Code itself asks before a call runs that a page has written or changed. */
export function pageDecisions(
  { diffs, output }: Pick<Platform, 'diffs' | 'output'>,
  { isPagesOwn = false } = {},
): PageDecisions {
  return new PageDecisions({
    isPagesOwn,
    confirm: async (call, signal) => {
      const { confirmChanged } = await import('./confirm-changed');
      return confirmChanged(call, diffs, signal);
    },
    onError: (error) => output.error(error),
  });
}

/** Decisions of the user about waiting calls. A page names a call; it never defines one. */
export class PageDecisions {
  private readonly asking = new Set<WaitingCall['request']>();

  constructor(private readonly parts: DecisionParts) {}

  /** `false` if the arguments are not a JSON object. */
  take(session: Session, { callId, answer }: Extract<CallToHost, { type: 'decide' }>): boolean {
    if (answer.type === 'edit') {
      const edited = parseObject(answer.arguments);
      if (edited) session.decide(callId, { type: 'edit', arguments: edited });
      return edited !== undefined;
    }
    const call = waitingCall(session.transcript, callId);
    // The arguments came from a page, so its word is not enough.
    if (answer.type === 'run' && call && this.isOfPage(session, call)) void this.confirm(session, call);
    else session.decide(callId, answer);
    return true;
  }

  private isOfPage({ transcript }: Session, { request }: WaitingCall): boolean {
    return this.parts.isPagesOwn || request.edited !== undefined || isEdited(transcript, request.call.id);
  }

  private async confirm(session: Session, call: WaitingCall): Promise<void> {
    const { request } = call;
    if (this.asking.has(request)) return;
    this.asking.add(request);
    const stop = new AbortController();
    const listening = session.onEvent(({ type }) => {
      if (type === 'run-end') stop.abort();
    });
    try {
      const isConfirmed = await this.parts.confirm(call, stop.signal);
      const { id } = request.call;
      // Runs what was shown, not a later version.
      if (waitingCall(session.transcript, id)?.request !== request) return;
      if (isConfirmed) session.decide(id, { type: 'run' });
      // It is asked about once more, so that the page takes another answer.
      else session.decide(id, { type: 'edit', arguments: request.edited ?? request.call.arguments });
    } catch (error) {
      if (!stop.signal.aborted) this.parts.onError(error);
    } finally {
      listening.dispose();
      this.asking.delete(request);
    }
  }
}
