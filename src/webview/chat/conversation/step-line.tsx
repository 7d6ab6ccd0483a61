import type { JSX } from 'preact';
import { argumentsOf, type CallPart } from '../../../core/transcript/transcript';
import type { StepFold, StepHead } from '../../../core/transcript/step-folds';
import { Icon } from '../../shared/icon';
import { t } from '../../shared/l10n';

interface StepLineProps {
  readonly head: StepHead;
  readonly onToggle: (fold: StepFold) => void;
}

/** One line that stands for finished calls, and unfolds them. */
export function StepLine({ head, onToggle }: StepLineProps): JSX.Element {
  const { fold, isOpen } = head;
  const sentence = sentenceOf(fold.calls);
  return (
    <button type="button" class="steps" aria-expanded={isOpen} onClick={() => onToggle(fold)}>
      <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
      {fold.isRun ? (
        <>
          {t('{0} steps', fold.calls.length)} <span class="quiet steps-detail">{sentence}</span>
        </>
      ) : (
        <span class="steps-detail">{sentence}</span>
      )}
    </button>
  );
}

/** A kind of work, and how its amount is said. */
interface Work {
  readonly one: () => string;
  readonly many: (count: number) => string;
}

const READ: Work = { one: () => t('read 1 file'), many: (count) => t('read {0} files', count) };
const LIST: Work = { one: () => t('listed 1 folder'), many: (count) => t('listed {0} folders', count) };
const SEARCH: Work = { one: () => t('searched once'), many: (count) => t('searched {0} times', count) };
const EDIT: Work = { one: () => t('edited 1 file'), many: (count) => t('edited {0} files', count) };
const MOVE: Work = { one: () => t('moved 1 path'), many: (count) => t('moved {0} paths', count) };
const DELETE: Work = { one: () => t('deleted 1 path'), many: (count) => t('deleted {0} paths', count) };
const RUN: Work = { one: () => t('ran 1 command'), many: (count) => t('ran {0} commands', count) };
const FETCH: Work = { one: () => t('fetched 1 page'), many: (count) => t('fetched {0} pages', count) };
const PLAN: Work = { one: () => t('updated the plan'), many: () => t('updated the plan') };
const AGENT: Work = { one: () => t('ran 1 sub-agent'), many: (count) => t('ran {0} sub-agents', count) };
const OTHER: Work = { one: () => t('made 1 other call'), many: (count) => t('made {0} other calls', count) };

const BY_TOOL: ReadonlyMap<string, Work> = new Map([
  ['read_file', READ],
  ['read_folder', LIST],
  ['find_files', SEARCH],
  ['search_text', SEARCH],
  ['get_symbols', SEARCH],
  ['edit_file', EDIT],
  ['write_file', EDIT],
  ['rename_symbol', EDIT],
  ['move_path', MOVE],
  ['delete_path', DELETE],
  ['run_shell_command', RUN],
  ['fetch_url', FETCH],
  ['update_todos', PLAN],
  ['call_sub_agent', AGENT],
]);

/** Work that is counted by the paths that it was done to. */
const BY_PATH: ReadonlySet<Work> = new Set([READ, EDIT, LIST]);

/** What calls did, in the order in which they began with it: `Read 12 files, searched 3 times`. */
function sentenceOf(calls: readonly CallPart[]): string {
  const amounts = new Map<Work, Set<unknown>>();
  for (const call of calls) {
    const work = BY_TOOL.get(call.name) ?? OTHER;
    const path = BY_PATH.has(work) ? argumentsOf(call.state)?.['path'] : undefined;
    const things = amounts.get(work) ?? new Set();
    amounts.set(work, things.add(path ?? call));
  }
  const parts = [...amounts].map(([work, { size }]) => (size === 1 ? work.one() : work.many(size)));
  const sentence = parts.join(t(', '));
  return sentence.charAt(0).toLocaleUpperCase() + sentence.slice(1);
}
