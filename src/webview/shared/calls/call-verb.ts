import type { CallPart } from '../../../core/transcript/transcript';
import { t } from '../l10n';

/** What a tool does, before its end and after it. */
const VERBS: Readonly<Record<string, readonly [now: () => string, past: () => string]>> = {
  read_file: [() => t('Read'), () => t('Read')],
  write_file: [() => t('Write'), () => t('Wrote')],
  edit_file: [() => t('Edit'), () => t('Edited')],
  read_folder: [() => t('List'), () => t('Listed')],
  find_files: [() => t('Find'), () => t('Looked for')],
  search_text: [() => t('Search for'), () => t('Searched for')],
  move_path: [() => t('Move'), () => t('Moved')],
  delete_path: [() => t('Delete'), () => t('Deleted')],
  run_shell_command: [() => t('Run'), () => t('Ran')],
  read_output: [() => t('Read output of'), () => t('Read output of')],
  stop_command: [() => t('Stop'), () => t('Stopped')],
  get_problems: [() => t('Check problems'), () => t('Checked problems')],
  get_symbols: [() => t('Look up symbols'), () => t('Looked up symbols')],
  rename_symbol: [() => t('Rename symbol'), () => t('Renamed symbol')],
  call_sub_agent: [() => t('Sub-agent'), () => t('Sub-agent')],
  call_skill: [() => t('Load skill'), () => t('Loaded skill')],
  fetch_url: [() => t('Fetch'), () => t('Fetched')],
  eval_js: [() => t('Calculate'), () => t('Calculated')],
};

/**
 * The verb for what a call does or did; none for tools of others, and while it waits, when its exact name is shown.
 */
export function verbOf({ name, state }: CallPart): string | undefined {
  if (state.type === 'waiting' || state.type === 'asking' || state.type === 'malformed') return undefined;
  const verbs = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  const hasRun = state.type === 'ended' && state.result.status !== 'denied';
  return verbs?.[hasRun ? 1 : 0]();
}
