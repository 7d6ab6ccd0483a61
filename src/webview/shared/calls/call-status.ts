import { never } from '../../../base/never';
import type { CallState } from '../../../core/transcript';

export type CallStatus =
  'streaming' | 'ready' | 'waiting' | 'running' | 'done' | 'failed' | 'rejected' | 'malformed';

export function statusOf(state: CallState): CallStatus {
  if (state.type === 'asking') return 'waiting';
  if (state.type !== 'ended') return state.type;
  switch (state.result.status) {
    case 'success':
      return 'done';
    case 'error':
      return 'failed';
    case 'denied':
      return 'rejected';
    default:
      return never(state.result.status);
  }
}
