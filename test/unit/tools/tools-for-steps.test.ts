import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/base/json';
import { defaultConfig, toolsWithoutFolder } from '../../../src/cli/built-in';
import { turnsAsOffered } from '../../../src/core/context/render-request';
import { CallIds } from '../../../src/core/reply/call-ids';
import { callableTools } from '../../../src/core/run/on-demand';
import type { Toggles, ToolCallConfig } from '../../../src/core/words/config';
import type { ReplyPart, Turn } from '../../../src/core/words/messages';
import type { Tool } from '../../../src/core/words/tool';
import { protocols } from '../../../src/protocols';
import { CallBinder } from '../../../src/protocols/engine/calls';
import { ToolRegistry } from '../../../src/tools/registry';
import { toolsForSteps } from '../../../src/tools/tools-for-steps';
import { caseCount } from '../../hosts/random-cases';
import { sampleMcpTools } from '../../support/agent/sample-mcp-tools';

const own = toolsWithoutFolder();
const servers = sampleMcpTools();

function forSteps(
  toolToggles: Toggles = {},
  tools = own,
  more: Partial<ToolCallConfig> = {},
): readonly Tool[] {
  const config = { ...defaultConfig, toolToggles, ...more };
  return toolsForSteps(new ToolRegistry({ tools: () => tools }).offered(config), config);
}

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ spec }) => spec.name);

/** `name {arguments}` of the call that runs. */
function bound(name: string, args: JsonObject, tools = forSteps()): string {
  const binder = new CallBinder({ tools: tools.map(({ spec }) => spec), ids: new CallIds() });
  const fit = binder.fit({ index: 0, name, arguments: args, start: 0, end: 0 });
  return fit.ok
    ? `${fit.call.name} ${JSON.stringify(fit.call.arguments)}`
    : `${fit.problem.message} ${fit.problem.hint}`;
}

const rows: readonly { readonly call: string; readonly args: JsonObject; readonly expect: string }[] = [
  { call: 'read_file', args: { path: 'a' }, expect: 'read_file {"path":"a"}' },
  { call: 'list_files', args: { path: '.' }, expect: 'read_folder {"depth":3,"path":"."}' },
  { call: 'search', args: { text: 'a' }, expect: 'search_text {"query":"a"}' },
  {
    call: 'write_file',
    args: { path: 'a', content: 'x' },
    expect: 'write_file {"overwrite":true,"path":"a","content":"x"}',
  },
  {
    call: 'replace_lines',
    args: { path: 'a', old: 'b', new: 'c' },
    expect: 'edit_file {"path":"a","old":"b","new":"c"}',
  },
  {
    call: 'append_lines',
    args: { path: 'a', lines: 'x' },
    expect: 'edit_file {"after_line":-1,"path":"a","new":"x"}',
  },
  { call: 'run_command', args: { command: 'ls' }, expect: 'run_shell_command {"command":"ls"}' },
  { call: 'delete_file', args: { path: 'a' }, expect: 'delete_path {"path":"a"}' },
  { call: 'move_file', args: { path: 'a', to: 'b' }, expect: 'move_path {"from":"a","to":"b"}' },
];

const others: readonly {
  readonly name: string;
  readonly call: string;
  readonly args: JsonObject;
  readonly expect: string;
}[] = [
  {
    name: 'the wire names',
    call: 'edit_file',
    args: { path: 'a', old: 'b', new: 'c', expect: 2 },
    expect: 'edit_file {"path":"a","old":"b","new":"c","expect":2}',
  },
  {
    name: 'arguments of the tool that runs',
    call: 'read_file',
    args: { path: 'a', start_line: 2 },
    expect: 'read_file {"path":"a","start_line":2}',
  },
  {
    name: 'what the tool that runs is told otherwise',
    call: 'write_file',
    args: { path: 'a', content: 'x', overwrite: false },
    expect: 'write_file {"overwrite":false,"path":"a","content":"x"}',
  },
  {
    name: 'names of other agents',
    call: 'str_replace_editor',
    args: { command: 'create', path: 'a', file_text: 'x' },
    expect: 'write_file {"path":"a","content":"x"}',
  },
  {
    name: 'other names of arguments',
    call: 'replace_lines',
    args: { file_path: 'a', old_str: 'b', new_str: 'c' },
    expect: 'edit_file {"path":"a","old":"b","new":"c"}',
  },
  {
    name: 'one name for another, wherever it is in the file',
    call: 'replace_lines',
    args: { path: 'a', old: 'getUsr\n', new: 'findUser\n' },
    expect: 'edit_file {"replace_all":true,"path":"a","old":"getUsr","new":"findUser"}',
  },
  {
    name: 'arguments of another agent',
    call: 'list_files',
    args: { path: 'a', recursive: true },
    expect: 'read_folder {"path":"a","depth":20}',
  },
  {
    name: 'a file in a code fence',
    call: 'write_file',
    args: { path: 'a.js', content: '```javascript\nx();\n```\n' },
    expect: 'write_file {"overwrite":true,"path":"a.js","content":"x();\\n"}',
  },
  {
    name: 'a code fence that belongs to the file',
    call: 'write_file',
    args: { path: 'a.md', content: '```\nx\n```\n' },
    expect: 'write_file {"overwrite":true,"path":"a.md","content":"```\\nx\\n```\\n"}',
  },
  {
    name: 'two code fences as they are',
    call: 'append_lines',
    args: { path: 'a.txt', lines: '```\na\n```\n```\nb\n```\n' },
    expect: 'edit_file {"after_line":-1,"path":"a.txt","new":"```\\na\\n```\\n```\\nb\\n```\\n"}',
  },
  {
    name: 'mistakes, in the words that are offered',
    call: 'move_file',
    args: { path: 'a' },
    expect: 'The argument "to" is missing. Required: path, to.',
  },
  {
    name: 'what cannot be done, with what is offered',
    call: 'apply_patch',
    args: { input: 'x' },
    expect: 'There is no tool "apply_patch". Use one of: replace_lines, append_lines.',
  },
];

describe('the tools for steps', () => {
  it('are nine, with one to three arguments that are all required', () => {
    const tools = forSteps();
    assert.deepEqual(
      namesOf(tools),
      rows.map(({ call }) => call),
    );
    for (const { spec } of tools) {
      const names = Object.keys(spec.parameters.properties ?? {});
      assert.deepEqual(spec.parameters.required, names, spec.name);
      assert.ok(names.length >= 1 && names.length <= 3, spec.name);
    }
  });

  for (const { call, args, expect } of rows)
    it(`${call} runs ${expect}`, () => assert.equal(bound(call, args), expect));
  for (const { name, call, args, expect } of others)
    it(`understand ${name}`, () => assert.equal(bound(call, args), expect));

  it('have the effect and the approval of the tool that runs', () => {
    // Only what they say of a result differs.
    const rest = (tool: Tool): object =>
      Object.fromEntries(Object.entries(tool).filter(([key]) => key !== 'spec' && key !== 'prepare'));
    for (const tool of forSteps()) {
      const real = own.find(({ spec }) => spec === tool.spec.offers?.spec);
      assert.ok(real);
      assert.deepEqual(rest(tool), rest(real), tool.spec.name);
    }
  });

  it('are without those whose tool is off, which is refused under every name', () => {
    for (const { call, args, expect } of rows) {
      const [target = ''] = expect.split(' ');
      const tools = forSteps({ [target]: false });
      assert.ok(!tools.some(({ spec }) => spec.offers?.spec.name === target), call);
      assert.match(bound(call, args, tools), /^There is no tool/);
    }
    assert.deepEqual(namesOf(forSteps({ files: false })), ['run_command']);
    assert.deepEqual(forSteps({}, own, { enabled: false }), []);
    const readOnly = { agent: 'a', readOnly: true, defaultToolEnabled: true, toolToggles: {} };
    assert.deepEqual(namesOf(forSteps({}, own, { agentTools: readOnly })), [
      'read_file',
      'list_files',
      'search',
    ]);
  });

  it('stand beside a tool that the user set to true', () => {
    assert.deepEqual(
      namesOf(forSteps({ fetch_url: true, edit_file: true, read_file: true })).slice(rows.length),
      ['edit_file', 'fetch_url'],
    );
    assert.deepEqual(namesOf(forSteps({ web: true, fetch_url: 'onDemand' })), namesOf(forSteps()));
  });

  it('stand beside the tools of servers, as the toggles say', () => {
    const [server] = servers;
    assert.ok(server);
    const offered = (toggles: Toggles): number =>
      forSteps(toggles, [...own, ...servers]).length - rows.length;
    assert.equal(offered({}), servers.length);
    assert.equal(offered({ [server.spec.name]: false }), servers.length - 1);
    assert.equal(offered({ [server.spec.name]: 'onDemand' }), servers.length - 1);
  });

  it('are all defined from the beginning, also if the user wants a tool on demand', () => {
    const config = {
      ...defaultConfig,
      toolsOnDemand: 'off',
      toolToggles: { read_folder: 'onDemand', move_path: 'onDemand' },
    } as const;
    const registry = new ToolRegistry({ tools: () => own });
    const offer = {
      offered: () => toolsForSteps(registry.offered(config), config),
      whyUnavailable: () => undefined,
    };
    for (const protocol of protocols) {
      const { callable } = callableTools({ offer, protocol }, config, []);
      assert.deepEqual(
        namesOf(callable),
        rows.map(({ call }) => call),
        protocol.id,
      );
    }
  });

  it('stay the same objects while nothing changes', () => {
    const registry = new ToolRegistry({ tools: () => own });
    const [one, other] = [0, 1].map(() => toolsForSteps(registry.offered(defaultConfig), defaultConfig));
    assert.equal(one, other);
  });
});

describe('the history for a model with tools for steps', () => {
  const specs = forSteps().map(({ spec }) => spec);

  function written(name: string, args: JsonObject): readonly Turn[] {
    const call: ReplyPart = {
      type: 'call',
      call: { id: 'c1', name, arguments: args, start: 0, end: 0, notes: [], mark: 'clean' },
    };
    const result = {
      requestId: 'c1',
      toolName: name,
      status: 'success',
      result: 'ok',
      durationMs: 0,
    } as const;
    return [
      { type: 'user', text: 'Do it.' },
      { type: 'reply', parts: [{ type: 'text', text: 'I do.' }, call] },
      { type: 'results', results: [result] },
    ];
  }

  it('has every call as it was written, and its result under that name', () => {
    const text = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(
        fc.constantFrom(...specs),
        fc.array(fc.oneof(text, fc.constantFrom('getUsr\n', 'findUser\n', 'name')), {
          ...{ minLength: 3, maxLength: 3 },
        }),
        (spec, values) => {
          const names = Object.keys(spec.parameters.properties ?? {});
          const args = Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
          assert.ok(spec.offers);
          const turns = written(spec.offers.spec.name, spec.offers.toCall(args));
          assert.deepEqual(turnsAsOffered(turns, specs), written(spec.name, args));
        },
      ),
      { numRuns: caseCount(1_000) },
    );
  });

  it('keeps what the definitions cannot say, and everything for other models', () => {
    const turns = written('edit_file', { path: 'a', edits: [{ old: 'b', new: 'c' }] });
    assert.deepEqual(turnsAsOffered(turns, specs), turns);
    const call = written('edit_file', { path: 'a', old: 'b', new: 'c' });
    assert.equal(
      turnsAsOffered(
        call,
        own.map(({ spec }) => spec),
      ),
      call,
    );
  });
});
