import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import { limits } from '../../base/limits';
import {
  directoryOf,
  flagIn,
  given,
  listIn,
  numberIn,
  plain,
  textIn,
  withArguments,
  type Arguments,
  type Meaning,
} from './foreign-arguments';
import { editorCommand, insertion, patch, replacement, searchReplace } from './foreign-edits';

/**
 * What models that were trained with other agents write: names of tools and of arguments. A row is one of three: a tool
 * of Parley with renamed arguments, a function that makes its call, or what to do instead. A function is for what needs
 * more than new names. Nothing here widens what may run: the call becomes one of an offered tool of Parley, judged like
 * any other, and an offered tool with exactly the written name always comes first.
 */

/** Other names of arguments, for every tool. Tried only if the schema lacks the spelling. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  path: [
    ...['file_path', 'filename', 'file', 'file_name', 'target_file', 'absolute_path', 'relative_path'],
    ...['relative_workspace_path', 'directory', 'folder', 'dir', 'dir_path', 'directory_path'],
    ...['target_directory', 'search_path', 'search_directory'],
  ],
  content: ['contents', 'text', 'file_text', 'file_content', 'file_contents', 'code_content', 'body', 'data'],
  command: ['cmd', 'command_line'],
  query: ['pattern', 'search', 'regex', 'text', 'search_term', 'search_query', 'keyword'],
  glob: ['pattern', 'glob_pattern', 'file_pattern', 'include_pattern', 'include', 'includes'],
  old: [
    ...['old_str', 'old_string', 'old_text', 'old_code', 'old_content', 'search', 'search_text', 'find'],
    ...['target_content', 'original', 'original_text'],
  ],
  new: [
    ...['new_str', 'new_string', 'new_text', 'new_code', 'new_content', 'replace', 'replace_text'],
    ...['replacement', 'replace_with', 'replacement_content'],
  ],
  edits: ['changes', 'replacements', 'replacement_chunks'],
  expect: ['expected_replacements', 'expected_occurrences'],
  replace_all: ['allow_multiple'],
  cwd: ['working_directory', 'workdir'],
  from: ['source', 'src', 'old_path', 'source_path', 'source_file'],
  to: ['destination', 'dest', 'target', 'new_path', 'target_path', 'destination_path', 'dest_path'],
  code: ['javascript', 'js', 'script', 'source', 'expression'],
  url: ['uri', 'link', 'address', 'href'],
  severity: ['level'],
  max: ['max_results', 'head_limit', 'limit'],
  log_id: ['bash_id', 'shell_id', 'command_id', 'task_id', 'id'],
  task: ['prompt', 'message'],
};

/** Whether an argument is often written with this other name. */
export function isOtherName(argument: string, written: string): boolean {
  // An argument may be named `constructor`.
  const others = Object.hasOwn(ARGUMENTS, argument) ? ARGUMENTS[argument] : undefined;
  return others?.some((other) => plain(other) === plain(written)) ?? false;
}

/** They tell the user or the other agent something, and change nothing of the call. */
const COMMENTS = [
  ...[
    'description',
    'explanation',
    'instruction',
    'instructions',
    'reason',
    'goal',
    'thought',
    'task_progress',
  ],
  ...['requires_approval', 'require_user_approval', 'safe_to_auto_run', 'security_risk', 'tool_summary'],
  ...['display_description', 'wait_for_previous_tools'],
];

type Row = { readonly names: readonly string[] } & (
  | {
      readonly tool: string;
      /** Names that mean something else in this tool than in others. */
      readonly renames?: Readonly<Record<string, string>>;
      /** Arguments without a meaning here. */
      readonly without?: readonly string[];
      /** Added unless the call says otherwise. */
      readonly fixed?: JsonObject;
    }
  | { readonly read: (args: Arguments) => Meaning }
  /** `use`: the tool that the sentence names. */
  | { readonly instead: string; readonly use?: string }
);

const ROWS: readonly Row[] = [
  // Reading
  {
    names: [
      ...['read_file', 'read', 'view', 'view_file', 'open_file', 'open', 'cat', 'cat_file', 'show_file'],
      ...['read_text_file', 'read_file_range', 'read_many_files', 'read_files', 'get_file_contents'],
      ...['view_image', 'fs_read', 'view_files'],
    ],
    read: lines,
  },
  {
    names: [
      ...['list_dir', 'list_directory', 'list_files', 'list_folder', 'ls', 'list', 'dir', 'directory_tree'],
      ...['list_directory_with_sizes', 'view_directory', 'view_folder', 'list_folder_contents'],
    ],
    read: folder,
  },
  {
    names: [
      ...['glob', 'file_search', 'find_file', 'find_by_name', 'find_path', 'find', 'glob_file_search'],
      ...['file_glob_search', 'glob_files', 'search_files_by_name'],
    ],
    tool: 'find_files',
    renames: { query: 'glob', name: 'glob', file_name: 'glob', filename: 'glob', dir: 'path' },
    without: [
      ...['case_sensitive', 'respect_git_ignore', 'offset', 'type', 'max_depth', 'extensions', 'excludes'],
      ...['full_path', 'exclude_patterns'],
    ],
  },
  {
    names: [...['grep', 'grep_search', 'ripgrep', 'rg', 'search_file_content', 'grep_files', 'regex_search']],
    read: (args) => search(args, true),
  },
  {
    names: [
      ...['search', 'search_dir', 'search_file', 'search_in_files', 'search_code', 'code_search'],
      ...['find_in_files', 'text_search', 'search_project', 'search_in_file'],
    ],
    read: (args) => search(args, false),
  },
  { names: ['search_files'], read: searchFiles },
  {
    names: ['codebase_search', 'semantic_search', 'search_codebase', 'codebase'],
    use: 'search_text',
    instead: 'There is no search by meaning. Search for a word of the code with search_text.',
  },
  { names: ['get_errors', 'diagnostics', 'get_diagnostics', 'read_lints', 'problems'], read: problems },
  {
    names: ['list_code_definition_names', 'document_symbols', 'get_outline', 'view_outline', 'file_outline'],
    tool: 'get_symbols',
  },

  // Writing
  {
    names: ['create_file', 'create_new_file', 'new_file', 'create', 'add_file', 'make_file', 'touch'],
    tool: 'write_file',
    renames: { code: 'content', name: 'path' },
    without: ['line_count', 'empty_file'],
  },
  {
    // In the agents that have them, these replace a file that exists.
    names: [
      ...[
        'write_to_file',
        'write',
        'save_file',
        'save_to_file',
        'overwrite_file',
        'rewrite_file',
        'fs_write',
      ],
    ],
    read: (args) =>
      args.has('command')
        ? editorCommand(args)
        : withArguments('write_file', args, {
            renames: { code: 'content' },
            without: [...COMMENTS, 'line_count', 'empty_file'],
            fixed: { overwrite: true },
          }),
  },
  {
    names: [
      'append_to_file',
      'append_file',
      'append_lines',
      'append',
      'fs_append',
      'add_lines',
      'append_text',
    ],
    read: (args) => insertion(args, -1),
  },
  {
    names: ['insert_lines', 'insert_content', 'insert_line', 'insert_text', 'insert', 'insert_at_line'],
    read: (args) => insertion(args),
  },
  {
    names: [
      ...['edit_file', 'edit', 'str_replace', 'string_replace', 'replace', 'replace_lines', 'replace_string'],
      ...['replace_string_in_file', 'replace_text', 'search_replace', 'search_and_replace'],
      ...['find_and_replace', 'single_find_and_replace', 'multi_edit', 'multi_replace_string_in_file'],
      ...['replace_file_content', 'multi_replace_file_content', 'edit_existing_file', 'update_file'],
      ...['modify_file', 'insert_edit_into_file'],
    ],
    read: replacement,
  },
  {
    names: ['replace_in_file', 'apply_diff', 'search_replace_blocks', 'apply_edit'],
    read: (args) => (args.has('diff') ? searchReplace(args) : replacement(args)),
  },
  { names: ['apply_patch', 'patch', 'patch_file'], read: patch },
  {
    names: [
      ...['str_replace_editor', 'str_replace_based_edit_tool', 'text_editor', 'file_editor', 'edit_tool'],
    ],
    read: editorCommand,
  },
  {
    names: [
      'rename_path',
      'rename_file',
      'rename',
      'move_file',
      'move',
      'mv',
      'rename_folder',
      'move_folder',
    ],
    read: move,
  },
  {
    names: [
      ...['delete_file', 'remove_file', 'rm', 'delete', 'remove', 'remove_path', 'unlink', 'delete_files'],
      ...['delete_folder', 'delete_directory', 'remove_directory', 'remove_folder', 'rmdir'],
    ],
    tool: 'delete_path',
    without: ['recursive', 'force'],
  },
  {
    names: ['create_directory', 'make_directory', 'mkdir', 'create_folder', 'create_dir', 'make_dir'],
    use: 'write_file',
    instead: 'Folders are created with the files in them. Write a file there with write_file.',
  },
  {
    names: ['copy_file', 'copy_path', 'cp', 'copy'],
    use: 'write_file',
    instead: 'Read the file with read_file and write its text to the new path with write_file.',
  },
  {
    names: ['notebook_edit', 'edit_notebook', 'edit_notebook_file'],
    use: 'edit_file',
    instead: 'A notebook is a JSON file. Change it with edit_file.',
  },
  {
    names: ['undo_edit', 'undo', 'revert_file'],
    use: 'edit_file',
    instead: 'A call cannot be undone. Change the text back with edit_file.',
  },

  // Commands
  {
    names: [
      ...['run_shell_command', 'execute_command', 'bash', 'shell', 'sh', 'run_command', 'run_in_terminal'],
      ...['run_terminal_cmd', 'run_terminal_command', 'execute_bash', 'execute_shell', 'shell_command'],
      ...['exec_command', 'exec', 'terminal', 'run', 'execute', 'run_shell', 'run_bash', 'local_shell'],
      ...['run_bash_command', 'execute_shell_command', 'command'],
    ],
    read: command,
  },
  {
    names: [
      ...['bash_output', 'command_status', 'get_terminal_output', 'read_terminal', 'task_output'],
      ...['check_command_status'],
    ],
    tool: 'read_output',
    renames: { filter: 'search' },
    without: [
      'output_character_count',
      'output_priority',
      'wait_duration_seconds',
      'block',
      'timeout',
      'name',
    ],
  },
  { names: ['kill_shell', 'kill_bash', 'kill_terminal', 'task_stop', 'stop_terminal'], tool: 'stop_command' },
  {
    names: ['python', 'run_python', 'execute_python', 'execute_ipython_cell', 'ipython', 'code_interpreter'],
    use: 'run_shell_command',
    instead: 'Run a program or a script with run_shell_command.',
  },

  // The conversation
  {
    names: [
      ...['update_todos', 'todo_write', 'update_plan', 'write_todos', 'update_todo_list', 'manage_todo_list'],
      ...['set_todos', 'todo', 'task_tracker'],
    ],
    read: todos,
  },
  { names: ['ask_followup_question', 'ask_user_question', 'ask_question', 'ask', 'clarify'], read: question },
  {
    names: ['task', 'new_task', 'run_subagent', 'dispatch_agent', 'agent', 'delegate'],
    tool: 'call_sub_agent',
    renames: { context: 'task' },
    without: ['subagent_type', 'agent_name', 'mode', 'todos'],
  },
  {
    names: ['skill', 'use_skill', 'load_skill'],
    tool: 'call_skill',
    renames: { skill: 'name', command: 'name' },
  },
  {
    names: [
      'fetch',
      'web_fetch',
      'fetch_webpage',
      'read_url_content',
      'fetch_url_content',
      'read_url',
      'browse',
    ],
    read: page,
  },
  {
    names: ['web_search', 'google_web_search', 'search_web', 'google_search'],
    use: 'fetch_url',
    instead: 'There is no search of the web. A page whose address is known can be read with fetch_url.',
  },
  {
    names: [
      ...['attempt_completion', 'finish', 'submit', 'done', 'complete', 'complete_task', 'task_done'],
      ...['task_complete', 'finish_task', 'final_answer', 'answer', 'respond', 'plan_mode_respond'],
      ...['exit_plan_mode', 'reply'],
    ],
    instead: 'To finish, write the answer as text, without a call.',
  },
  {
    names: ['think', 'thinking', 'sequential_thinking'],
    instead: 'Think in the text of the reply, and call only tools that are offered.',
  },
  {
    names: ['use_mcp_tool', 'access_mcp_resource', 'call_mcp_tool'],
    instead: 'Call the tool of the server by its own name, if it is offered.',
  },
  {
    names: ['switch_mode', 'switch_agent'],
    instead: 'Only the user switches agents. Go on with the offered tools.',
  },
];

const BY_NAME: ReadonlyMap<string, Row> = new Map(
  ROWS.flatMap((row) => row.names.map((name) => [plain(name), row] as const)),
);

/** Every name that is understood. */
export const foreignNames: readonly string[] = ROWS.flatMap(({ names }) => names);

/** What a call means here; `undefined` if its name is in no row. */
export function meaningOf(name: string, args: JsonObject): Meaning | undefined {
  const row = BY_NAME.get(plain(name).replace(/^builtin/, ''));
  if (!row) return undefined;
  if ('instead' in row) return { instead: row.instead, ...(row.use !== undefined && { use: row.use }) };
  const read = given(args);
  if ('read' in row) return row.read(read);
  const { tool, renames, without = [], fixed } = row;
  return withArguments(tool, read, {
    ...(renames && { renames }),
    without: [...COMMENTS, ...without],
    ...(fixed && { fixed }),
  });
}

/** Agents name the lines of a file in many ways. An offset counts from 1; those that count from 0 see one line more. */
function lines(args: Arguments): Meaning {
  const files = listIn(args, ['paths', 'files', 'file_paths']);
  if (files && files.length > 1)
    return { instead: 'Read one file with each call of read_file.', use: 'read_file' };
  const [file] = files ?? [];
  const path = isJsonObject(file) ? textIn(given(file), ['path', 'file_path']) : file;
  const range =
    listIn(args, ['view_range', 'read_range', 'range']) ?? rangeIn(textIn(args, ['line_range', 'lines']));
  const offset = numberIn(args, ['offset']);
  const limit = numberIn(args, ['limit']);
  const zeroBased = numberIn(args, ['start_line_number_base_zero']);
  const start =
    numberIn(args, ['start_line_one_indexed', 'line_number', 'line', 'from_line']) ??
    (zeroBased === undefined ? undefined : zeroBased + 1) ??
    wholeNumber(range?.[0]) ??
    (offset === undefined ? undefined : Math.max(1, offset));
  const zeroBasedEnd = numberIn(args, ['end_line_number_base_zero']);
  const end =
    numberIn(args, ['end_line_one_indexed_inclusive', 'head', 'to_line']) ??
    (zeroBasedEnd === undefined ? undefined : zeroBasedEnd + 1) ??
    wholeNumber(range?.[1]) ??
    (limit === undefined || limit < 1 ? undefined : (start ?? 1) + limit - 1);
  return withArguments('read_file', args, {
    used: LINE_ARGUMENTS,
    without: [...COMMENTS, 'encoding', 'should_read_entire_file', 'include_summary_of_other_lines', 'mode'],
    fixed: {
      ...(typeof path === 'string' && { path }),
      ...(start !== undefined && { start_line: start }),
      // -1 means the last line.
      ...(end !== undefined && end > 0 && { end_line: end }),
    },
  });
}

const LINE_ARGUMENTS = [
  ...['paths', 'files', 'file_paths', 'view_range', 'read_range', 'range', 'line_range', 'lines', 'offset'],
  ...[
    'limit',
    'start_line_one_indexed',
    'end_line_one_indexed_inclusive',
    'line_number',
    'line',
    'from_line',
  ],
  ...['to_line', 'head', 'start_line_number_base_zero', 'end_line_number_base_zero'],
];

function wholeNumber(value: Json | undefined): number | undefined {
  return value === undefined ? undefined : numberIn(given({ value }), ['value']);
}

/** `10-20`, `10,20` or `10:20`. */
function rangeIn(text: string | undefined): readonly string[] | undefined {
  const [, first, last] = /^\s*(\d+)\s*[-,:]\s*(\d+)\s*$/.exec(text ?? '') ?? [];
  return first === undefined || last === undefined ? undefined : [first, last];
}

function folder(args: Arguments): Meaning {
  return withArguments('read_folder', args, {
    renames: { max_depth: 'depth' },
    used: ['recursive'],
    without: [...COMMENTS, 'ignore', 'offset', 'limit', 'all', 'long', 'show_hidden'],
    fixed: flagIn(args, ['recursive']) ? { depth: limits.listDepth } : {},
  });
}

/** `isRegex`: what the tool's pattern is unless the call says otherwise. */
function search(args: Arguments, isRegex: boolean): Meaning {
  const asRegex = flagIn(args, ['is_regexp', 'is_regex', 'regexp']) ?? (isRegex || args.has('regex'));
  const ignoresCase = flagIn(args, ['i', 'case_insensitive', 'ignore_case']);
  const around = ['c', 'a', 'b', 'context_lines'].map((name) => numberIn(args, [name]) ?? 0);
  const context = Math.max(...around);
  const folders = listIn(args, ['target_directories', 'directories', 'paths']);
  const globs = listIn(args, ['includes', 'include', 'include_pattern']);
  return withArguments('search_text', args, {
    // Of a search for texts, the pattern is not that of file names.
    renames: { pattern: 'query' },
    used: [...SEARCH_ARGUMENTS, ...(folders ? FOLDER_LISTS : []), ...(globs ? GLOB_LISTS : [])],
    without: [
      ...[...COMMENTS, 'n', 'output_mode', 'multiline', 'type', 'exclude_pattern', 'exclude', 'offset'],
      ...['match_per_line', 'include_ignored_files'],
    ],
    fixed: {
      ...(asRegex && { is_regex: true }),
      ...(ignoresCase === false && { case_sensitive: true }),
      ...(context > 0 && { context: Math.min(20, context) }),
      ...(folders?.length === 1 && { path: folders[0] ?? '.' }),
      ...(globs && globs.length > 0 && { glob: oneGlob(globs) }),
    },
  });
}

const FOLDER_LISTS = ['target_directories', 'directories', 'paths'];
const GLOB_LISTS = ['includes', 'include', 'include_pattern'];
const SEARCH_ARGUMENTS = [
  ...['is_regexp', 'regexp', 'i', 'a', 'b', 'c', 'context_lines', 'case_insensitive', 'ignore_case'],
];

function oneGlob(globs: readonly Json[]): string {
  const texts = globs.filter((glob) => typeof glob === 'string');
  return texts.length === 1 ? (texts[0] ?? '') : `{${texts.join(',')}}`;
}

/** In one agent it searches texts by a regular expression, in another files by their names. */
function searchFiles(args: Arguments): Meaning {
  const pattern = textIn(args, ['pattern']);
  const isName =
    pattern !== undefined &&
    !args.has('regex') &&
    !args.has('query') &&
    /^[\w./{},-]*\*[\w.*/{},-]*$/.test(pattern);
  return isName
    ? withArguments('find_files', args, {
        renames: { pattern: 'glob' },
        without: [...COMMENTS, 'exclude_patterns'],
      })
    : search(args, args.has('regex'));
}

function problems(args: Arguments): Meaning {
  const files = listIn(args, ['file_paths', 'paths']);
  return withArguments('get_problems', args, {
    renames: { uri: 'path' },
    used: files ? ['file_paths', 'paths'] : [],
    without: [...COMMENTS, 'ranges'],
    // For several files, all problems are shown.
    fixed: files?.length === 1 ? { path: files[0] ?? '' } : {},
  });
}

function move(args: Arguments): Meaning {
  const name = textIn(args, ['new_name']);
  const from = textIn(args, ['path', 'from', 'old_path', 'old_name', 'source', 'file_path']) ?? '';
  return withArguments('move_path', args, {
    renames: {
      ...{ path: 'from', file: 'from', file_path: 'from', old: 'from', old_name: 'from', new: 'to' },
      new_name: 'to',
    },
    without: [...COMMENTS, 'overwrite'],
    // A new name without a folder stays in the folder.
    fixed: name !== undefined && !/[\\/]/.test(name) ? { to: directoryOf(from) + name } : {},
  });
}

const COMMAND_LISTS = ['command', 'cmd', 'commands'];
const COMMAND_ARGUMENTS = [
  ...['timeout', 'timeout_ms', 'timeout_seconds', 'is_background', 'run_in_background', 'async', 'blocking'],
  ...['wait_for_completion', 'wait_ms_before_async'],
];

/** A command as a list of words is written as a line; times are seconds or milliseconds. */
function command(args: Arguments): Meaning {
  const words = listIn(args, COMMAND_LISTS);
  if (words) {
    const others = [...args].filter(([name]) => !COMMAND_LISTS.includes(name));
    return command(new Map([...others, ['command', { key: 'command', value: commandLine(words) }]]));
  }
  if (textIn(args, ['command', 'cmd', 'command_line', 'script']) === undefined && args.has('restart'))
    return {
      instead: 'Every command has a new shell. Call run_shell_command again.',
      use: 'run_shell_command',
    };
  const milliseconds = numberIn(args, ['timeout_ms']);
  const timeout = numberIn(args, ['timeout', 'timeout_seconds']) ?? 0;
  const seconds = milliseconds === undefined && timeout < 1_000 ? timeout : (milliseconds ?? timeout) / 1_000;
  const inBackground =
    flagIn(args, ['is_background', 'run_in_background', 'async']) ??
    flagIn(args, ['blocking', 'wait_for_completion']) === false;
  return withArguments('run_shell_command', args, {
    renames: { directory: 'cwd', dir: 'cwd', dir_path: 'cwd', cd: 'cwd', path: 'cwd', script: 'command' },
    used: COMMAND_ARGUMENTS,
    without: [
      ...[...COMMENTS, 'run_persistent', 'mode', 'login', 'yield_time_ms', 'max_output_tokens', 'session_id'],
      ...['is_input', 'restart'].filter((name) => flagIn(args, [name]) === false),
    ],
    fixed: {
      ...(seconds > 0 && { timeout_s: Math.max(1, Math.min(seconds, limits.commandTimeoutMostMs / 1_000)) }),
      ...(inBackground && { background: true }),
    },
  });
}

/** `["bash", "-lc", "ls | wc"]` means its last word. */
function commandLine(words: readonly Json[]): string {
  const texts = words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word)));
  const [shell = '', flag = '', line] = texts;
  if (
    texts.length === 3 &&
    /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) &&
    /^-l?c$/.test(flag) &&
    line !== undefined
  )
    return line;
  return texts
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

const STATUSES: Readonly<Record<string, string>> = {
  ...{ pending: 'pending', todo: 'pending', notstarted: 'pending', open: 'pending', '': 'pending' },
  ...{ inprogress: 'in_progress', active: 'in_progress', doing: 'in_progress', '-': 'in_progress' },
  ...{ completed: 'completed', complete: 'completed', done: 'completed', x: 'completed' },
};

function todos(args: Arguments): Meaning {
  const text = textIn(args, ['todos', 'todo_list', 'plan', 'items', 'tasks']);
  const all =
    listIn(args, ['items', 'todos', 'todo_list', 'plan', 'tasks', 'task_list']) ??
    text?.split('\n').filter((line) => line.trim() !== '');
  if (!all) return withArguments('update_todos', args, { without: COMMENTS });
  const items = all.map(todo).filter((item) => item.status !== 'cancelled');
  return { tool: 'update_todos', arguments: { items }, leftOut: [] };
}

function todo(item: Json): { readonly text: string; readonly status: string } {
  const [, box, line] = typeof item === 'string' ? (/^\s*(?:[-*]\s*)?\[(.?)\]\s*(.*)$/.exec(item) ?? []) : [];
  if (!isJsonObject(item)) {
    const text = line ?? (typeof item === 'string' ? item : JSON.stringify(item));
    return { text, status: STATUSES[plainStatus(box ?? '')] ?? 'pending' };
  }
  const args = given(item);
  const status =
    textIn(args, ['status', 'state']) ?? (flagIn(args, ['done', 'completed']) ? 'completed' : '');
  return {
    text: textIn(args, ['text', 'content', 'step', 'title', 'description', 'task', 'name']) ?? '',
    status: Object.hasOwn(STATUSES, plainStatus(status)) ? (STATUSES[plainStatus(status)] ?? status) : status,
  };
}

function plainStatus(status: string): string {
  return status === '-' ? status : plain(status);
}

function question(args: Arguments): Meaning {
  const [first, ...others] = listIn(args, ['questions']) ?? [];
  if (others.length > 0) return { instead: 'Ask one question with each call of ask_user.', use: 'ask_user' };
  const asked = isJsonObject(first) ? given(first) : args;
  const options = (listIn(asked, ['options', 'follow_up', 'choices']) ?? []).map((option) =>
    isJsonObject(option) ? (textIn(given(option), ['label', 'text', 'answer']) ?? '') : option,
  );
  const text = textIn(asked, ['question', 'prompt', 'text', 'message']);
  return {
    tool: 'ask_user',
    arguments: {
      ...(text !== undefined && { question: text }),
      ...(options.length > 0 && { options: options.slice(0, limits.questionOptions) }),
    },
    leftOut: [],
  };
}

function page(args: Arguments): Meaning {
  const addresses = listIn(args, ['urls']);
  if (addresses && addresses.length > 1)
    return { instead: 'Fetch one page with each call of fetch_url.', use: 'fetch_url' };
  return withArguments('fetch_url', args, {
    used: addresses ? ['urls'] : [],
    without: [...COMMENTS, 'prompt', 'format', 'timeout', 'query'],
    fixed: addresses?.length === 1 ? { url: addresses[0] ?? '' } : {},
  });
}
