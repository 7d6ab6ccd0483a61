import { isJsonObject, type Json, type JsonObject } from '../../base/json';
import {
  flagIn,
  given,
  listIn,
  numberIn,
  textIn,
  withArguments,
  type Arguments,
  type Meaning,
} from './foreign-arguments';

/** Changes of files as other agents write them. What cannot be said with the tools here is answered. */

const PATHS = [
  'path',
  'file_path',
  'filename',
  'file',
  'target_file',
  'absolute_path',
  'relative_workspace_path',
];
const TEXTS = [
  'content',
  'text',
  'new_str',
  'insert_text',
  'lines',
  'new',
  'new_text',
  'file_text',
  'code',
  'data',
  'contents',
];

const EDIT_INSTEAD: Meaning = {
  instead: 'Call edit_file with path, old (lines as they are in the file) and new (what they become).',
  use: 'edit_file',
};

/** Adds lines after a line; -1: at the end of the file. */
export function insertion(args: Arguments, end?: -1): Meaning {
  // In one agent, line 0 is the end, and lines go before the line.
  const before = numberIn(args, ['line']);
  const line =
    end ??
    numberIn(args, ['insert_line', 'line_number', 'after_line']) ??
    (before === 0 ? -1 : before && before - 1);
  const path = textIn(args, PATHS);
  const text = textIn(args, TEXTS) ?? linesIn(args);
  if (line === undefined || path === undefined || text === undefined) return EDIT_INSTEAD;
  return editing(path, { after_line: line, new: text });
}

function linesIn(args: Arguments): string | undefined {
  const lines = listIn(args, ['lines', 'content']);
  return lines?.every((line) => typeof line === 'string') ? lines.join('\n') : undefined;
}

function editing(path: string, args: JsonObject): Meaning {
  return { tool: 'edit_file', arguments: { path, ...args }, leftOut: [] };
}

/** The whole text of a file or only a description of the change is no edit. */
const NO_EDITS = ['code_edit', 'changes', 'content', 'contents', 'code', 'diff'];

export function replacement(args: Arguments): Meaning {
  if (textIn(args, ['diff']) !== undefined) return searchReplace(args);
  const edits = listIn(args, ['edits', 'replacements', 'changes', 'replacement_chunks', 'operations']);
  const old = textIn(args, OLD);
  if (edits) return several(args, edits);
  if (old === undefined && NO_EDITS.some((name) => textIn(args, [name]) !== undefined)) return EDIT_INSTEAD;
  return withArguments('edit_file', args, { without: commentsIn(args) });
}

const OLD = [
  'old',
  'old_str',
  'old_string',
  'old_text',
  'old_code',
  'search',
  'find',
  'target_content',
  'original',
];
const COMMENTS = [
  ...['description', 'explanation', 'instruction', 'instructions', 'task_progress', 'display_description'],
  ...['mode', 'start_line', 'end_line', 'code_markdown_language', 'complexity'],
];

/** What would change the meaning of the edit is left out only where it is off. */
function commentsIn(args: Arguments): readonly string[] {
  const off = ['use_regex', 'ignore_case', 'dry_run'].filter((name) => flagIn(args, [name]) === false);
  return [...COMMENTS, ...off];
}

/** Each replacement may name its file; one call changes one file. */
function several(args: Arguments, edits: readonly Json[]): Meaning {
  const items = edits.filter((edit) => isJsonObject(edit)).map(given);
  const paths = new Set(
    [textIn(args, PATHS), ...items.map((item) => textIn(item, PATHS))].filter((path) => path !== undefined),
  );
  if (paths.size > 1) return { instead: 'Change one file with each call of edit_file.', use: 'edit_file' };
  const [path] = paths;
  if (path === undefined || items.length !== edits.length) return EDIT_INSTEAD;
  const read = items.map((item) => withArguments('edit_file', item, { without: [...PATHS, ...COMMENTS] }));
  const objects = read.flatMap((each) => ('tool' in each ? [each.arguments] : []));
  return editing(path, { edits: objects });
}

const SEARCH = /^(?:<{5,}|-{5,}) ?SEARCH>?\s*$/;
const DIVIDER = /^={5,}\s*$/;
const REPLACE = /^(?:>{5,}|\+{5,}) ?REPLACE>?\s*$/;
/** Lines between the first marker and the text: where it is. */
const PLACE = /^:(?:start|end)_line:\s*\d+\s*$|^-{5,}\s*$/;

/** Blocks of SEARCH and REPLACE, or a unified diff. */
export function searchReplace(args: Arguments): Meaning {
  const path = textIn(args, PATHS);
  const diff = textIn(args, ['diff']);
  if (path === undefined || diff === undefined) return EDIT_INSTEAD;
  const edits = blocksIn(diff) ?? hunksIn(diff.split(/\r?\n/));
  if (!edits || edits.length === 0) return EDIT_INSTEAD;
  const [only, ...others] = edits;
  // Without a text to search for, the block is the whole file.
  if (only?.old === '' && others.length === 0) return writing(path, only.new);
  return edits.some(({ old }) => old === '')
    ? EDIT_INSTEAD
    : editing(path, { edits: edits.map((edit) => ({ ...edit })) });
}

function writing(path: string, content: string): Meaning {
  return { tool: 'write_file', arguments: { path, content }, leftOut: [] };
}

interface Edit {
  readonly old: string;
  readonly new: string;
}

/** `undefined` if there is no block, or one without its end. */
function blocksIn(diff: string): readonly Edit[] | undefined {
  const edits: Edit[] = [];
  let part: 'old' | 'new' | undefined;
  let old: string[] = [];
  let fresh: string[] = [];
  for (const line of diff.split(/\r?\n/)) {
    if (part === undefined && SEARCH.test(line)) [part, old, fresh] = ['old', [], []];
    else if (part === 'old' && DIVIDER.test(line)) part = 'new';
    else if (part === 'new' && REPLACE.test(line)) {
      edits.push(editOf(old, fresh));
      part = undefined;
    } else if (part === 'old' && !(old.length === 0 && PLACE.test(line))) old.push(line);
    else if (part === 'new') fresh.push(line);
  }
  return part === undefined && edits.length > 0 ? edits : undefined;
}

/** Lines that are removed take their line break with them. */
function editOf(old: readonly string[], fresh: readonly string[]): Edit {
  const isRemoval = old.length > 0 && fresh.length === 0;
  return { old: old.join('\n') + (isRemoval ? '\n' : ''), new: fresh.join('\n') };
}

/** The hunks of a diff: context and removed lines become context and added lines. */
function hunksIn(all: readonly string[]): readonly Edit[] | undefined {
  // The text may end with a line break.
  const lines = all.at(-1) === '' ? all.slice(0, -1) : all;
  const hunks: Edit[] = [];
  let old: string[] = [];
  let fresh: string[] = [];
  let isChanged = false;
  const close = (): void => {
    if (isChanged) hunks.push(editOf(old, fresh));
    [old, fresh, isChanged] = [[], [], false];
  };
  let isInside = false;
  for (const line of lines) {
    if (line.startsWith('@@')) {
      close();
      isInside = true;
    } else if (!isInside || line.startsWith('\\ No newline') || line.startsWith('*** End of File')) continue;
    else if (line.startsWith('-') || line.startsWith('+')) {
      isChanged = true;
      (line.startsWith('-') ? old : fresh).push(line.slice(1));
    } else {
      const text = line.startsWith(' ') ? line.slice(1) : line;
      old.push(text);
      fresh.push(text);
    }
  }
  close();
  return hunks.length > 0 ? hunks : undefined;
}

const ONE_FILE: Meaning = {
  instead: 'Change one file with each call: edit_file with path, old and new, or write_file.',
  use: 'edit_file',
};

/** `*** Begin Patch` … `*** End Patch` for one file, or a unified diff. */
export function patch(args: Arguments): Meaning {
  const text = textIn(args, ['input', 'patch', 'patch_text', 'diff', 'content']);
  if (text === undefined) return EDIT_INSTEAD;
  const lines = text.split(/\r?\n/);
  const heads = lines.flatMap((line, at) => {
    const [, what, path] = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line) ?? [];
    return what === undefined || path === undefined ? [] : [{ what, path, at }];
  });
  const [head, ...others] = heads;
  if (others.length > 0 || lines.some((line) => line.startsWith('*** Move to: '))) return ONE_FILE;
  if (!head) return unified(args, lines);
  const end = lines.findIndex((line) => line.startsWith('*** End Patch'));
  const body = lines.slice(head.at + 1, end < 0 ? undefined : end);
  if (head.what === 'Delete') return { tool: 'delete_path', arguments: { path: head.path }, leftOut: [] };
  if (head.what === 'Add') {
    const added = body.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`);
    return writing(head.path, added.join(''));
  }
  // The first hunk may have no head.
  return asEdits(head.path, hunksIn(body[0]?.startsWith('@@') ? body : ['@@', ...body]));
}

function unified(args: Arguments, lines: readonly string[]): Meaning {
  const named = lines.flatMap((line) => /^\+\+\+ (?:b\/)?([^\t]+?)\s*(?:\t.*)?$/.exec(line)?.[1] ?? []);
  const path = textIn(args, PATHS) ?? named[0];
  if (named.length > 1) return ONE_FILE;
  return path === undefined ? EDIT_INSTEAD : asEdits(path, hunksIn(lines));
}

function asEdits(path: string, edits: readonly Edit[] | undefined): Meaning {
  if (!edits || edits.some(({ old }) => old === '')) return EDIT_INSTEAD;
  return editing(path, { edits: edits.map((edit) => ({ ...edit })) });
}

/** One tool whose `command` says what it does. */
export function editorCommand(args: Arguments): Meaning {
  const path = textIn(args, PATHS) ?? '';
  switch (textIn(args, ['command'])?.trim()) {
    case 'view':
    case 'read':
      return viewing(path, args);
    case 'create':
    case 'write':
      return writing(path, textIn(args, ['file_text', 'content', 'text']) ?? '');
    case 'str_replace':
    case 'replace':
    case 'edit':
      return editing(path, {
        old: textIn(args, OLD) ?? '',
        new: textIn(args, ['new_str', 'new', 'new_string', 'file_text']) ?? '',
      });
    case 'insert':
      return insertion(args);
    case 'append':
      return insertion(args, -1);
    case 'delete':
      return { tool: 'delete_path', arguments: { path }, leftOut: [] };
    case 'rename':
      return move(args);
    case 'undo_edit':
      return { instead: 'A call cannot be undone. Change the text back with edit_file.', use: 'edit_file' };
    default:
      return { instead: 'Call read_file, write_file or edit_file.', use: 'read_file' };
  }
}

function move(args: Arguments): Meaning {
  const from = textIn(args, ['old_path', 'path']) ?? '';
  return { tool: 'move_path', arguments: { from, to: textIn(args, ['new_path']) ?? '' }, leftOut: [] };
}

/** A path without an extension and without a range may be a folder, which `read_file` says. */
function viewing(path: string, args: Arguments): Meaning {
  const [first, last] = listIn(args, ['view_range']) ?? [];
  const start = numberIn(given({ first: first ?? null }), ['first']);
  const end = numberIn(given({ last: last ?? null }), ['last']);
  const isFolder = start === undefined && /(?:^|\/)(?:\.{0,2}|[^./]+\/)$/.test(path);
  if (isFolder) return { tool: 'read_folder', arguments: path === '' ? {} : { path }, leftOut: [] };
  return {
    tool: 'read_file',
    arguments: {
      path,
      ...(start !== undefined && { start_line: start }),
      ...(end !== undefined && end > 0 && { end_line: end }),
    },
    leftOut: [],
  };
}
