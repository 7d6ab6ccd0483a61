import type { JSX } from 'preact';
import { never } from '../../../base/never';
import { visibleText } from '../../../base/text';
import { isDone, TODO_TOOL, todosOf, type Todo } from '../../../core/transcript/todos';
import { argumentsOf, type CallPart, type CallState } from '../../../core/transcript/transcript';
import type { Effect } from '../../../core/words/tool';
import { Icon } from '../icon';
import { durationText, t, translated } from '../l10n';
import { firstLine } from '../text/capped-text';
import { verbOf } from './call-verb';
import { failedTests } from './failed-tests';

interface HeaderProps {
  readonly part: CallPart;
  readonly status: CallStatus;
}

/** The header line of a call: tool, main argument, state. */
export function CallHeader(props: HeaderProps): JSX.Element {
  return (
    <div class="call-header">
      <HeaderParts {...props} />
    </div>
  );
}

/** Content of that line. */
export function HeaderParts({ part, status }: HeaderProps): JSX.Element {
  const summary = visibleText(mainArgument(part) ?? '');
  const { state } = part;
  const verb = verbOf(part);
  const wasHeld = state.type === 'ended' && state.result.sandbox !== undefined;
  const allowance = wasHeld ? { word: t('in the sandbox'), sentence: '' } : allowanceOf(state);
  return (
    <>
      <Icon name={iconOfTool(part)} />
      {verb === undefined ? (
        <span class="call-name">{visibleText(part.name) || t('Unknown tool')}</span>
      ) : (
        <span class="call-name call-verb" title={part.name}>
          {verb}
        </span>
      )}
      <span class="call-summary" title={summary}>
        {summary}
      </span>
      <span class="call-status">
        {wasHeld && <Icon name="lock" />}
        {allowance && (
          <span class="call-allowance" title={visibleText(allowance.sentence)}>
            {allowance.word}
          </span>
        )}
        <StatusLabel part={part} status={status} />
      </span>
    </>
  );
}

function StatusLabel({
  part,
  status,
}: {
  readonly part: CallPart;
  readonly status: CallStatus;
}): JSX.Element {
  const time = part.state.type === 'ended' ? durationText(part.state.result.durationMs) : '';
  switch (status) {
    case 'streaming':
      return <Label icon="loading" spin text={t('Writing')} />;
    case 'ready':
      return <Label icon="clock" text={t('Queued')} />;
    case 'waiting':
      return <Label icon="bell-dot" text={t('Waiting')} />;
    case 'running':
      return <Label icon="loading" spin text={t('Running')} />;
    case 'done':
      return <Label icon="check" text={time} hidden={t('Done')} />;
    case 'failed':
      return <Label icon="error" text={failureText(part)} />;
    case 'rejected':
      return <Label icon="circle-slash" text={t('Rejected')} />;
    case 'malformed':
      return <Label icon="warning" text={t('Malformed')} />;
  }
}

/** `Failed, 3 tests`, where a test runner says so. */
function failureText({ name, state }: CallPart): string {
  const isCommand = name === 'run_shell_command' && state.type === 'ended';
  const tests = isCommand ? failedTests(state.result.result) : undefined;
  if (tests === undefined) return t('Failed');
  return tests === 1 ? t('Failed, 1 test') : t('Failed, {0} tests', tests);
}

interface LabelProps {
  readonly icon: string;
  readonly text: string;
  readonly spin?: boolean;
  /** For screen readers only. */
  readonly hidden?: string;
}

function Label({ icon, text, spin = false, hidden }: LabelProps): JSX.Element {
  return (
    <>
      {hidden !== undefined && <span class="unseen">{hidden}</span>}
      <span>{text}</span>
      <Icon name={icon} spin={spin} />
    </>
  );
}

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

/** Arguments that identify a call best, the best first. */
const TELLING = [
  'command',
  'from',
  'query',
  'glob',
  'path',
  'url',
  'task',
  'question',
  'log_id',
  'name',
  'code',
];

/** The argument that identifies a call, in one line. */
function mainArgument({ name, draft, state }: CallPart): string | undefined {
  const todos = name === TODO_TOOL && 'call' in state ? todosOf(state.call.arguments) : undefined;
  if (todos) return todoCount(todos);
  const texts =
    'call' in state
      ? Object.entries(argumentsOf(state) ?? {})
      : draft.map(({ key, text }) => [key, text] as const);
  const known = new Map(texts.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  const key = TELLING.find((each) => known.has(each)) ?? known.keys().next().value;
  if (key === undefined) return undefined;
  const target = key === 'from' ? known.get('to') : undefined;
  const line = firstLine(known.get(key) ?? '');
  return target === undefined ? line : `${line} → ${firstLine(target)}`;
}

const BY_NAME: Readonly<Record<string, string>> = {
  read_file: 'file',
  write_file: 'new-file',
  edit_file: 'edit',
  read_folder: 'folder',
  find_files: 'search',
  search_text: 'search',
  move_path: 'arrow-swap',
  delete_path: 'trash',
  run_shell_command: 'terminal',
  read_output: 'output',
  stop_command: 'debug-stop',
  get_problems: 'warning',
  get_symbols: 'symbol-class',
  rename_symbol: 'symbol-class',
  call_sub_agent: 'robot',
  call_skill: 'mortar-board',
  ask_user: 'question',
  update_todos: 'checklist',
  fetch_url: 'globe',
  eval_js: 'code',
};

const BY_EFFECT: Readonly<Record<Effect, string>> = {
  read: 'eye',
  write: 'edit',
  execute: 'terminal',
  network: 'globe',
};

/** Icons of our own tools by name; of others by effect, once known. */
function iconOfTool({ name, state }: CallPart): string {
  const icon = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (icon !== undefined) return icon;
  return state.type === 'waiting' ? BY_EFFECT[state.request.effect] : 'tools';
}

export function todoCount(todos: readonly Todo[]): string {
  return t('{0} of {1} done', todos.filter(isDone).length, todos.length);
}

/** What allowed a call to run, in a word and in a sentence. */
interface Allowance {
  readonly word: string;
  readonly sentence: string;
}

/** For a call that runs or ran. Nothing if it only read the workspace, which every call may do. */
export function allowanceOf(state: CallState): Allowance | undefined {
  if (state.type !== 'running' && state.type !== 'asking' && state.type !== 'ended') return undefined;
  const { approval, allowedBy } = state;
  const decision = approval?.decision;
  if (decision?.type === 'run' && decision.by === 'user') {
    const sentence =
      decision.reason === ''
        ? t('You allowed it.')
        : t('You allowed it, and from now on: {0}.', translated(decision.reason));
    return { word: t('by you'), sentence };
  }
  if (allowedBy === undefined) return undefined;
  return { word: t('unasked'), sentence: t('Ran without asking: {0}.', translated(allowedBy)) };
}
