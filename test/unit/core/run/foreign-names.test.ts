import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../src/base/json';
import { toolsWithoutFolder } from '../../../../src/cli/built-in';
import { foreignNames, meaningOf } from '../../../../src/core/run/foreign-names';
import { CallIds } from '../../../../src/core/reply/call-ids';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { CallBinder } from '../../../../src/protocols/engine/calls';
import { plain } from '../../../../src/core/run/foreign-arguments';
import { caseCount } from '../../../hosts/random-cases';

const own = toolsWithoutFolder().map(({ spec }) => spec);
const ownNames = own.map(({ name }) => name);

interface Row {
  readonly call: string;
  readonly args: JsonObject;
  /** The call that runs, or the end of the refusal. */
  readonly expect: string;
}

const SEARCH_REPLACE = `<<<<<<< SEARCH
:start_line:2
-------
b
=======
B
>>>>>>> REPLACE`;
const TWO_BLOCKS = `------- SEARCH
a
b
=======
A
+++++++ REPLACE

------- SEARCH
c
=======
+++++++ REPLACE`;
const PATCH = `*** Begin Patch
*** Update File: src/a.js
@@ function f() {
 one
-two
+2
 three
*** End Patch`;
const UNIFIED = `--- a/src/a.js
+++ b/src/a.js
@@ -1,3 +1,3 @@
 one
-two
+2
@@ -9 +9 @@
-nine
+9
`;

const rows: readonly Row[] = [
  // Cline, Roo
  {
    call: 'write_to_file',
    args: { path: 'a', content: 'x', line_count: 1 },
    expect: 'write_file {"path":"a","content":"x","overwrite":true}',
  },
  {
    call: 'list_files',
    args: { path: 'src', recursive: 'true' },
    expect: 'read_folder {"path":"src","depth":20}',
  },
  { call: 'list_files', args: { path: '.', recursive: false }, expect: 'read_folder {"path":"."}' },
  {
    call: 'search_files',
    args: { path: 'src', regex: 'a.c', file_pattern: '*.js' },
    expect: 'search_text {"path":"src","query":"a.c","glob":"*.js","is_regex":true}',
  },
  {
    call: 'execute_command',
    args: { command: 'ls', requires_approval: false },
    expect: 'run_shell_command {"command":"ls"}',
  },
  {
    call: 'replace_in_file',
    args: { path: 'a', diff: TWO_BLOCKS },
    expect: 'edit_file {"path":"a","edits":[{"old":"a\\nb","new":"A"},{"old":"c\\n","new":""}]}',
  },
  {
    call: 'apply_diff',
    args: { path: 'a', diff: SEARCH_REPLACE },
    expect: 'edit_file {"path":"a","edits":[{"old":"b","new":"B"}]}',
  },
  {
    call: 'replace_in_file',
    args: { path: 'a', diff: '<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE' },
    expect: 'write_file {"path":"a","content":"new"}',
  },
  {
    call: 'replace_in_file',
    args: { path: 'a', diff: '<<<<<<< SEARCH\nhalf' },
    expect: 'Call edit_file with path, old (lines as they are in the file) and new (what they become).',
  },
  {
    call: 'insert_content',
    args: { path: 'a', line: 0, content: 'x' },
    expect: 'edit_file {"path":"a","after_line":-1,"new":"x"}',
  },
  {
    call: 'insert_content',
    args: { path: 'a', line: '3', content: 'x' },
    expect: 'edit_file {"path":"a","after_line":2,"new":"x"}',
  },
  {
    call: 'append_to_file',
    args: { path: 'a', content: 'x' },
    expect: 'edit_file {"path":"a","after_line":-1,"new":"x"}',
  },
  { call: 'list_code_definition_names', args: { path: 'a' }, expect: 'get_symbols {"path":"a"}' },
  {
    call: 'attempt_completion',
    args: { result: 'Done.' },
    expect: 'To finish, write the answer as text, without a call.',
  },
  {
    call: 'ask_followup_question',
    args: { question: 'Which?', follow_up: [{ text: 'a' }, { text: 'b' }] },
    expect: 'ask_user {"question":"Which?","options":["a","b"]}',
  },
  {
    call: 'update_todo_list',
    args: { todos: '[x] one\n[-] two\n[ ] three' },
    expect:
      'update_todos {"items":[{"text":"one","status":"completed"},{"text":"two","status":"in_progress"},{"text":"three","status":"pending"}]}',
  },
  { call: 'new_task', args: { mode: 'code', message: 'Do it.' }, expect: 'call_sub_agent {"task":"Do it."}' },
  // Copilot
  {
    call: 'create_file',
    args: { filePath: 'a', content: 'x' },
    expect: 'write_file {"path":"a","content":"x"}',
  },
  {
    call: 'replace_string_in_file',
    args: { explanation: 'e', filePath: 'a', oldString: 'b', newString: 'c' },
    expect: 'edit_file {"path":"a","old":"b","new":"c"}',
  },
  {
    call: 'multi_replace_string_in_file',
    args: { explanation: 'e', replacements: [{ filePath: 'a', oldString: 'b', newString: 'c' }] },
    expect: 'edit_file {"path":"a","edits":[{"old":"b","new":"c"}]}',
  },
  {
    call: 'multi_replace_string_in_file',
    args: {
      replacements: [
        { filePath: 'a', oldString: 'b', newString: 'c' },
        { filePath: 'b', oldString: 'b', newString: 'c' },
      ],
    },
    expect: 'Change one file with each call of edit_file.',
  },
  {
    call: 'run_in_terminal',
    args: { command: 'npm start', explanation: 'e', isBackground: true },
    expect: 'run_shell_command {"command":"npm start","background":true}',
  },
  { call: 'get_errors', args: { filePaths: ['a.ts'] }, expect: 'get_problems {"path":"a.ts"}' },
  {
    call: 'grep_search',
    args: { query: 'a', isRegexp: false, includePattern: '*.ts' },
    expect: 'search_text {"query":"a","glob":"*.ts"}',
  },
  {
    call: 'file_search',
    args: { query: '**/*.ts', maxResults: 5 },
    expect: 'find_files {"glob":"**/*.ts","max":5}',
  },
  {
    call: 'manage_todo_list',
    args: { todoList: [{ id: 1, title: 'a', description: 'd', status: 'not-started' }] },
    expect: 'update_todos {"items":[{"text":"a","status":"pending"}]}',
  },
  {
    call: 'create_directory',
    args: { dirPath: 'a' },
    expect: 'Folders are created with the files in them. Write a file there with write_file.',
  },
  {
    call: 'fetch_webpage',
    args: { urls: ['https://example.com'], query: 'q' },
    expect: 'fetch_url {"url":"https://example.com"}',
  },
  // Cursor, Windsurf
  {
    call: 'read_file',
    args: {
      target_file: 'a',
      should_read_entire_file: false,
      start_line_one_indexed: 3,
      end_line_one_indexed_inclusive: 9,
    },
    expect: 'read_file {"path":"a","start_line":3,"end_line":9}',
  },
  {
    call: 'edit_file',
    args: { target_file: 'a', instructions: 'i', code_edit: '// ... existing code ...' },
    expect: 'Call edit_file with path, old (lines as they are in the file) and new (what they become).',
  },
  {
    call: 'search_replace',
    args: { file_path: 'a', old_string: 'b', new_string: 'c' },
    expect: 'edit_file {"path":"a","old":"b","new":"c"}',
  },
  {
    call: 'run_terminal_cmd',
    args: { command: 'ls', is_background: false, require_user_approval: true },
    expect: 'run_shell_command {"command":"ls"}',
  },
  {
    call: 'codebase_search',
    args: { query: 'Where are users made?' },
    expect: 'There is no search by meaning. Search for a word of the code with search_text.',
  },
  { call: 'list_dir', args: { relative_workspace_path: 'src' }, expect: 'read_folder {"path":"src"}' },
  {
    call: 'view_file',
    args: { AbsolutePath: 'a', StartLine: 1, EndLine: 5 },
    expect: 'read_file {"path":"a","start_line":1,"end_line":5}',
  },
  {
    call: 'run_command',
    args: { CommandLine: 'ls', Cwd: 'src', Blocking: true, SafeToAutoRun: true },
    expect: 'run_shell_command {"command":"ls","cwd":"src"}',
  },
  {
    call: 'replace_file_content',
    args: {
      TargetFile: 'a',
      ReplacementChunks: [{ TargetContent: 'b', ReplacementContent: 'c', AllowMultiple: true }],
    },
    expect: 'edit_file {"path":"a","edits":[{"old":"b","new":"c","replace_all":true}]}',
  },
  {
    call: 'find_by_name',
    args: { SearchDirectory: 'src', Pattern: '*.ts' },
    expect: 'find_files {"path":"src","glob":"*.ts"}',
  },
  // Claude Code
  {
    call: 'Read',
    args: { file_path: 'a', offset: 10, limit: 5 },
    expect: 'read_file {"path":"a","start_line":10,"end_line":14}',
  },
  {
    call: 'Write',
    args: { file_path: 'a', content: 'x' },
    expect: 'write_file {"path":"a","content":"x","overwrite":true}',
  },
  {
    call: 'Edit',
    args: { file_path: 'a', old_string: 'b', new_string: 'c', replace_all: true },
    expect: 'edit_file {"path":"a","old":"b","new":"c","replace_all":true}',
  },
  {
    call: 'MultiEdit',
    args: { file_path: 'a', edits: [{ old_string: 'b', new_string: 'c' }] },
    expect: 'edit_file {"path":"a","edits":[{"old":"b","new":"c"}]}',
  },
  {
    call: 'Bash',
    args: { command: 'ls', description: 'd', timeout: 5000, run_in_background: false },
    expect: 'run_shell_command {"command":"ls","timeout_s":5}',
  },
  {
    call: 'Grep',
    args: {
      pattern: 'a|b',
      path: 'src',
      '-i': true,
      '-n': true,
      '-C': 2,
      output_mode: 'content',
      head_limit: 9,
    },
    expect: 'search_text {"query":"a|b","path":"src","max":9,"is_regex":true,"context":2}',
  },
  { call: 'Glob', args: { pattern: '**/*.ts' }, expect: 'find_files {"glob":"**/*.ts"}' },
  { call: 'LS', args: { path: '/w' }, expect: 'read_folder {"path":"/w"}' },
  {
    call: 'TodoWrite',
    args: { todos: [{ content: 'a', status: 'in_progress', activeForm: 'b' }] },
    expect: 'update_todos {"items":[{"text":"a","status":"in_progress"}]}',
  },
  {
    call: 'WebFetch',
    args: { url: 'https://example.com', prompt: 'p' },
    expect: 'fetch_url {"url":"https://example.com"}',
  },
  {
    call: 'Task',
    args: { description: 'd', prompt: 'Do it.', subagent_type: 'x' },
    expect: 'call_sub_agent {"task":"Do it."}',
  },
  { call: 'BashOutput', args: { bash_id: 'log-1' }, expect: 'read_output {"log_id":"log-1"}' },
  { call: 'KillShell', args: { shell_id: 'log-1' }, expect: 'stop_command {"log_id":"log-1"}' },
  // Codex
  {
    call: 'shell',
    args: { command: ['bash', '-lc', 'ls | wc'], workdir: 'src', timeout_ms: 2000 },
    expect: 'run_shell_command {"cwd":"src","command":"ls | wc","timeout_s":2}',
  },
  {
    call: 'shell',
    args: { command: ['git', 'commit', '-m', "it's"] },
    expect: `run_shell_command {"command":"git commit -m 'it'\\\\''s'"}`,
  },
  {
    call: 'apply_patch',
    args: { input: PATCH },
    expect: 'edit_file {"path":"src/a.js","edits":[{"old":"one\\ntwo\\nthree","new":"one\\n2\\nthree"}]}',
  },
  {
    call: 'apply_patch',
    args: { input: '*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch' },
    expect: 'write_file {"path":"a.txt","content":"one\\ntwo\\n"}',
  },
  {
    call: 'apply_patch',
    args: { input: '*** Begin Patch\n*** Delete File: a.txt\n*** End Patch' },
    expect: 'delete_path {"path":"a.txt"}',
  },
  {
    call: 'apply_patch',
    args: { input: '*** Begin Patch\n*** Delete File: a\n*** Delete File: b\n*** End Patch' },
    expect: 'Change one file with each call: edit_file with path, old and new, or write_file.',
  },
  {
    call: 'patch',
    args: { patchText: UNIFIED },
    expect:
      'edit_file {"path":"src/a.js","edits":[{"old":"one\\ntwo","new":"one\\n2"},{"old":"nine","new":"9"}]}',
  },
  {
    call: 'update_plan',
    args: { plan: [{ step: 'a', status: 'completed' }], explanation: 'e' },
    expect: 'update_todos {"items":[{"text":"a","status":"completed"}]}',
  },
  // Gemini CLI
  {
    call: 'run_shell_command',
    args: { command: 'ls', description: 'd', directory: 'src' },
    expect: 'run_shell_command {"command":"ls","cwd":"src"}',
  },
  {
    call: 'replace',
    args: { file_path: 'a', old_string: 'b', new_string: 'c', expected_replacements: 2 },
    expect: 'edit_file {"path":"a","old":"b","new":"c","expect":2}',
  },
  {
    call: 'search_file_content',
    args: { pattern: 'a', include: '*.ts' },
    expect: 'search_text {"query":"a","glob":"*.ts","is_regex":true}',
  },
  {
    call: 'google_web_search',
    args: { query: 'q' },
    expect: 'There is no search of the web. A page whose address is known can be read with fetch_url.',
  },
  // OpenHands, SWE-agent, editors with a command
  {
    call: 'execute_bash',
    args: { command: 'ls', is_input: 'false' },
    expect: 'run_shell_command {"command":"ls"}',
  },
  {
    call: 'str_replace_editor',
    args: { command: 'view', path: 'a.js', view_range: [2, -1] },
    expect: 'read_file {"path":"a.js","start_line":2}',
  },
  {
    call: 'str_replace_editor',
    args: { command: 'view', path: '/w/src/' },
    expect: 'read_folder {"path":"/w/src/"}',
  },
  {
    call: 'str_replace_editor',
    args: { command: 'create', path: 'a', file_text: 'x' },
    expect: 'write_file {"path":"a","content":"x"}',
  },
  {
    call: 'str_replace_editor',
    args: { command: 'str_replace', path: 'a', old_str: 'b', new_str: 'c' },
    expect: 'edit_file {"path":"a","old":"b","new":"c"}',
  },
  {
    call: 'str_replace_based_edit_tool',
    args: { command: 'insert', path: 'a', insert_line: 0, insert_text: 'x' },
    expect: 'edit_file {"path":"a","after_line":0,"new":"x"}',
  },
  {
    call: 'str_replace_editor',
    args: { command: 'undo_edit', path: 'a' },
    expect: 'A call cannot be undone. Change the text back with edit_file.',
  },
  { call: 'open', args: { path: 'a', line_number: 7 }, expect: 'read_file {"path":"a","start_line":7}' },
  {
    call: 'search_dir',
    args: { search_term: 'a', dir: 'src' },
    expect: 'search_text {"query":"a","path":"src"}',
  },
  { call: 'finish', args: {}, expect: 'To finish, write the answer as text, without a call.' },
  // Continue, opencode, Zed, others
  { call: 'builtin_read_file', args: { filepath: 'a' }, expect: 'read_file {"path":"a"}' },
  {
    call: 'builtin_create_new_file',
    args: { filepath: 'a', contents: 'x' },
    expect: 'write_file {"path":"a","content":"x"}',
  },
  {
    call: 'read_file_range',
    args: { filepath: 'a', startLine: 1, endLine: 2 },
    expect: 'read_file {"path":"a","start_line":1,"end_line":2}',
  },
  {
    call: 'todowrite',
    args: { todos: [{ id: '1', content: 'a', status: 'cancelled', priority: 'low' }] },
    expect: 'update_todos {"items":[]}',
  },
  {
    call: 'terminal',
    args: { command: 'ls', cd: 'src' },
    expect: 'run_shell_command {"command":"ls","cwd":"src"}',
  },
  {
    call: 'move_path',
    args: { source_path: 'a', destination_path: 'b' },
    expect: 'move_path {"from":"a","to":"b"}',
  },
  {
    call: 'rename_file',
    args: { path: 'src/a', new_name: 'b' },
    expect: 'move_path {"from":"src/a","to":"src/b"}',
  },
  { call: 'move_file', args: { source: 'a', destination: 'b' }, expect: 'move_path {"from":"a","to":"b"}' },
  { call: 'delete_file', args: { target_file: 'a', explanation: 'e' }, expect: 'delete_path {"path":"a"}' },
  { call: 'read_text_file', args: { path: 'a', head: 3 }, expect: 'read_file {"path":"a","end_line":3}' },
  {
    call: 'search_files',
    args: { path: '.', pattern: '*.ts' },
    expect: 'find_files {"path":".","glob":"*.ts"}',
  },
  {
    call: 'read_many_files',
    args: { paths: ['a', 'b'] },
    expect: 'Read one file with each call of read_file.',
  },
  // What is not known of a tool is refused in the words of the one that would run.
  {
    call: 'bash',
    args: { command: 'ls', as_root: true },
    expect: 'The arguments are: command, cwd, timeout_s, background, outside. The tool is run_shell_command.',
  },
  { call: 'create_file', args: { content: 'x' }, expect: 'Required: path, content. The tool is write_file.' },
  {
    call: 'search_and_replace',
    args: { path: 'a', search: 'b', replace: 'c', use_regex: true },
    expect:
      'The arguments are: path, edits, old, new, expect, replace_all, after_line. The tool is edit_file.',
  },
];

function outcome(call: string, args: JsonObject, tools: readonly ToolSpec[], form?: 'text') {
  const binder = new CallBinder({ tools, ids: new CallIds(), whyUnavailable });
  return binder.fit({ index: 0, name: call, arguments: args, start: 0, end: 0, ...(form && { form }) });
}

/** As the registry says it of a tool that is switched off. */
function whyUnavailable(name: string): string | undefined {
  return ownNames.includes(name) ? `The tool "${name}" is switched off.` : undefined;
}

describe('calls of the tools of other agents', () => {
  for (const { call, args, expect } of rows) {
    it(`${call} ${JSON.stringify(args).slice(0, 80)}`, () => {
      const fit = outcome(call, args, own);
      const said = fit.ok ? `${fit.call.name} ${JSON.stringify(fit.call.arguments)}` : fit.problem.hint;
      assert.equal(said, expect);
      if (fit.ok) assert.equal(fit.call.mark, 'clean');
    });
  }

  it('are understood in forms without types, too', () => {
    for (const { call, args, expect } of rows) {
      const texts = Object.entries(args).map(([key, value]): [string, Json] => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      const fit = outcome(call, Object.fromEntries(texts), own, 'text');
      assert.equal(
        fit.ok ? `${fit.call.name} ${JSON.stringify(fit.call.arguments)}` : fit.problem.hint,
        expect,
        call,
      );
    }
  });

  it('have a note that says what was read as what, and what was left out', () => {
    const fit = outcome('execute_command', { command: 'ls', requires_approval: true }, own);
    assert.deepEqual(fit.ok && fit.call.notes.map(({ level, message }) => `${level}: ${message}`), [
      'info: Read the name "execute_command" as "run_shell_command".',
      'info: Left out "requires_approval", which has no meaning here.',
    ]);
  });

  it('lead to tools that exist, from names that are no other tool of Parley', () => {
    assert.equal(new Set(foreignNames.map(plain)).size, foreignNames.length);
    for (const name of foreignNames) {
      const meaning = meaningOf(name, {});
      assert.ok(meaning);
      const named = 'tool' in meaning ? meaning.tool : meaning.use;
      if (named !== undefined) assert.ok(ownNames.includes(named), name);
      if ('tool' in meaning && ownNames.includes(name)) assert.equal(meaning.tool, name);
    }
  });

  it('are refused like the tool they mean, if that is not offered', () => {
    for (const { call, args, expect } of rows) {
      const [, target] = /^(\w+) \{/.exec(expect) ?? [];
      if (target === undefined) continue;
      for (const tools of [own.filter(({ name }) => name !== target), []]) {
        const fit = outcome(call, args, tools);
        assert.equal(!fit.ok && fit.problem.message, `The tool "${target}" is switched off.`, call);
      }
    }
  });

  it('are left to a tool of a server with exactly that name, also where they do not fit it', () => {
    const parameters = {
      type: 'object',
      properties: { line: { type: 'string' } },
      required: ['line'],
      additionalProperties: false,
    } as const;
    for (const name of foreignNames.filter((each) => !ownNames.includes(each))) {
      const server: ToolSpec = { name, description: 'Of a server.', parameters };
      const fits = outcome(name, { line: 'x' }, [...own, server]);
      assert.deepEqual(fits.ok && [fits.call.name, fits.call.arguments], [name, { line: 'x' }]);
      assert.equal(
        outcome(name, { command: 'ls', path: 'a', content: 'x' }, [...own, server]).ok,
        false,
        name,
      );
    }
  });

  it('mean nothing among tools of other programs, whatever these are called', () => {
    const others = own.map(({ name, description, parameters }) => ({ name, description, parameters }));
    const binder = new CallBinder({ tools: others, ids: new CallIds() });
    for (const name of foreignNames.filter((each) => !ownNames.includes(each))) {
      const fit = binder.fit({ index: 0, name, arguments: { path: 'a', content: 'x' }, start: 0, end: 0 });
      assert.equal(!fit.ok && fit.problem.message, `There is no tool "${name}".`);
    }
  });

  const json = fc.letrec<{ readonly value: never }>((tie) => ({
    value: fc.oneof(
      fc.constantFrom(
        '',
        'a',
        '10-20',
        '[1]',
        'true',
        '<<<<<<< SEARCH\n=======\n>>>>>>> REPLACE',
        '@@\n-a\n+b',
        'view',
      ),
      fc.integer({ min: -2, max: 2_000 }),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('path', 'old', 'content', 'status', 'question'), tie('value'), {
        maxKeys: 3,
      }),
    ) as fc.Arbitrary<never>,
  }));
  const keys = fc.constantFrom(
    ...[
      'path',
      'file_path',
      'content',
      'command',
      'diff',
      'edits',
      'old_str',
      'new_str',
      'line',
      'input',
      'todos',
    ],
    ...[
      'questions',
      'paths',
      'urls',
      'view_range',
      'timeout',
      'pattern',
      'regex',
      '-C',
      'includes',
      'new_name',
    ],
    ...['insert_line', 'replacements', 'recursive', 'restart', 'unheard_of'],
  );

  it('never throw, and run only what is offered, whatever the arguments', () => {
    const seen = { ran: 0, refused: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...foreignNames),
        fc.dictionary(keys, json.value, { maxKeys: 5 }),
        fc.subarray([...own]),
        fc.constantFrom(undefined, 'text' as const),
        (name, args, tools, form) => {
          const fit = outcome(name, args, tools, form);
          seen[fit.ok ? 'ran' : 'refused']++;
          if (fit.ok) assert.ok(tools.some((tool) => tool.name === fit.call.name));
        },
      ),
      { numRuns: caseCount(20_000) },
    );
    assert.ok(seen.ran > 0 && seen.refused > 0);
  });
});
