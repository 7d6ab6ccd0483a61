import { visibleText } from '../../base/text';
import type { Transcript } from '../../core/transcript/transcript';
import type { WaitingCall } from '../../core/transcript/waiting-call';
import type { Access } from '../../core/words/tool';
import { countChanges, lineDiff } from '../shared/calls/line-diff';

/** A call that waits for the user's approval. */
export interface Waiting extends Pick<WaitingCall, 'request'> {
  readonly name: string;
  /** Everything it would do, if that fits into one line. */
  readonly line: string | undefined;
  /** The call is in a reply that the user edited. */
  readonly isEdited: boolean;
}

interface AllWaiting {
  readonly approvals: readonly Waiting[];
  /** Calls that wait for a typed answer. */
  readonly questions: number;
}

/** Calls that wait for the user, including nested ones. Only the last reply can have them. */
export function waitingIn({ entries }: Transcript): AllWaiting {
  const last = entries.at(-1);
  if (last?.type !== 'reply') return { approvals: [], questions: 0 };
  const found = last.parts.map((part): AllWaiting => {
    if (part.type !== 'call') return { approvals: [], questions: 0 };
    const { name, state } = part;
    if (state.type === 'running' && state.subAgent) return waitingIn(state.subAgent);
    if (state.type !== 'waiting') return { approvals: [], questions: state.type === 'asking' ? 1 : 0 };
    const { request } = state;
    const waiting = { name, request, line: lineOf(state), isEdited: last.isEdited === true };
    return { approvals: [waiting], questions: 0 };
  });
  return {
    approvals: found.flatMap(({ approvals }) => approvals),
    questions: found.reduce((sum, { questions }) => sum + questions, 0),
  };
}

export type Kind = 'reads' | 'edits' | 'commands' | 'calls';

/** The calls that one click may run together, and their kind. */
export interface Together {
  readonly calls: readonly Waiting[];
  readonly kind: Kind;
}

/** Ordinary calls that the list shows completely. The others need a separate answer. */
export function runnableTogether(approvals: readonly Waiting[]): Together {
  const calls = approvals.filter(isOrdinary);
  const kinds = new Set(calls.map(kindOf));
  const [kind = 'calls'] = kinds;
  return { calls, kind: kinds.size === 1 ? kind : 'calls' };
}

/** A call parsed cleanly, not changed by anyone, and without warnings about its paths. */
function isOrdinary({ request, line, isEdited }: Waiting): boolean {
  const { call, edited, problem, preview, accesses } = request;
  const isWritten = call.mark === 'clean' && edited === undefined && problem === undefined && !isEdited;
  const isHarmless = preview?.type !== 'diff' || preview.runsCode !== true;
  return isWritten && isHarmless && line !== undefined && accesses.every(isOrdinaryAccess);
}

const ORDINARY: readonly Access['kind'][] = ['path', 'edit', 'command', 'url', 'mcp'];

/** No protected or secret path; a path may ask only because it is outside. */
function isOrdinaryAccess({ kind, verdict, notes }: Access): boolean {
  if (!ORDINARY.includes(kind) || notes !== undefined) return false;
  const { decision, note, runsCode, isOutside, grant } = verdict;
  if (note !== undefined || runsCode === true) return false;
  if (kind !== 'path' && kind !== 'edit') return true;
  return decision === 'auto' || (isOutside === true && grant?.type !== 'read-file-in-session');
}

function kindOf({ request }: Waiting): Kind {
  const { effect, accesses, preview } = request;
  if (effect === 'read') return 'reads';
  if (preview?.type === 'command') return 'commands';
  return preview?.type === 'diff' && accesses.every(({ kind }) => kind === 'edit') ? 'edits' : 'calls';
}

/** A longer line could hide its end. */
const LONGEST = 160;

function lineOf({ call, request }: WaitingCall): string | undefined {
  const line = wholeLine(request, call.arguments);
  return line.length > LONGEST || /[\n\r]/.test(line) ? undefined : visibleText(line);
}

function wholeLine({ preview, accesses }: WaitingCall['request'], values: object): string {
  switch (preview?.type) {
    case 'command':
      return `${preview.command} (${preview.cwd})`;
    case 'diff': {
      const { added, removed } = countChanges(lineDiff(preview.before, preview.after));
      return `${preview.path} +${added} −${removed}`;
    }
    case undefined: {
      const targets = accesses.flatMap(({ kind, target }) => (kind === 'path' ? [target] : []));
      return targets.length > 0 ? targets.join(', ') : JSON.stringify(values);
    }
  }
}
