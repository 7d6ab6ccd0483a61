import type { ApprovalRequest } from '../../../src/core/words/approval';
import type { AgentEvent } from '../../../src/core/words/events';
import type { ToolCall } from '../../../src/core/words/messages';
import type { Grant } from '../../../src/core/words/verdict';

export const replyEnd = { type: 'reply-end', reason: 'stop', raw: '' } as const satisfies AgentEvent;
export const roundStart = {
  type: 'round-start',
  round: 1,
  maxRounds: 50,
  protocol: 'vcp',
  model: 'm',
} as const satisfies AgentEvent;

export function runStart(text: string): AgentEvent {
  return { type: 'run-start', text, time: 0 };
}

export function toolCall(name: string, values: ToolCall['arguments']): ToolCall {
  return { id: 'c1', name, arguments: values, start: 0, end: 1, notes: [], mark: 'clean' };
}

/** A run whose reply holds one call. */
export function runWithCall(call: ToolCall): AgentEvent[] {
  return [runStart('go'), roundStart, { type: 'call-end', index: 0, call }, replyEnd];
}

/** A waiting call, and the grants that it offers. */
export function runWithWaitingCall(
  call: ToolCall,
  { grants = [], ...request }: Partial<ApprovalRequest> & { readonly grants?: readonly Grant[] } = {},
): AgentEvent[] {
  return [
    ...runWithCall(call),
    {
      type: 'approval-request',
      request: { call, effect: 'write', title: 'A title', accesses: [], ...request },
      reason: 'edits ask first',
      grants,
    },
  ];
}

export function toolEnd(call: ToolCall, status: 'success' | 'error' | 'denied', result: string): AgentEvent {
  return {
    type: 'tool-end',
    callId: call.id,
    result: { requestId: call.id, toolName: call.name, status, result, durationMs: 12 },
  };
}
