import type { Effect } from '../../../core/tool';
import type { CallPart } from '../../../core/transcript';

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

/** Our own tools by name; any other by what it may do, once that is known. */
export function iconOfTool({ name, state }: CallPart): string {
  const icon = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  if (icon !== undefined) return icon;
  return state.type === 'waiting' ? BY_EFFECT[state.request.effect] : 'tools';
}
