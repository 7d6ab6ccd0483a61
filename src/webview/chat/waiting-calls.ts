import type { ApprovalRequest } from '../../core/approval';
import type { Transcript } from '../../core/transcript';

export interface WaitingCall {
  readonly name: string;
  readonly request: ApprovalRequest;
}

/** The calls that wait for the user. They can only stand in the last reply. */
export function waitingCalls(transcript: Transcript): readonly WaitingCall[] {
  const last = transcript.entries.at(-1);
  if (last?.type !== 'reply') return [];
  return last.parts.flatMap((part) =>
    part.type === 'call' && part.state.type === 'waiting'
      ? [{ name: part.name, request: part.state.request }]
      : [],
  );
}
