import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/base/json';
import { BadRequest } from '../../../src/gateway/gateway-request';
import { readTools } from '../../../src/gateway/offered-tools';
import { chosenTools } from '../../../src/gateway/tool-choice';
import { caseCount } from '../../hosts/random-cases';

const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

/** The client has the model search for it first. */
const LATER = { name: 'later', defer_loading: true };

const spellings: readonly { readonly name: string; readonly tool: JsonObject }[] = [
  {
    name: 'nested',
    tool: { type: 'function', function: { name: 'read', description: 'R.', parameters: SCHEMA } },
  },
  { name: 'flat', tool: { type: 'function', name: 'read', description: 'R.', parameters: SCHEMA } },
  { name: 'without a type', tool: { name: 'read', description: 'R.', parameters: SCHEMA } },
  { name: "with Anthropic's schema", tool: { name: 'read', description: 'R.', input_schema: SCHEMA } },
  { name: "with MCP's schema", tool: { name: 'read', description: 'R.', inputSchema: SCHEMA } },
];

describe('the tools of a client', () => {
  for (const { name, tool } of spellings) {
    it(`may be functions ${name}`, () => {
      const [read] = readTools([tool]).all;
      assert.deepEqual(read?.spec, { name: 'read', description: 'R.', parameters: SCHEMA });
    });
  }

  it('have references resolved in place; one whose schema cannot be read is left out and named', () => {
    const $defs = { count: { type: 'integer' } };
    const count = { anyOf: [{ $ref: '#/$defs/count' }, { type: 'null' }] };
    const { all, leftOut } = readTools([
      { name: 'good', parameters: { type: 'object', properties: { count }, $defs } },
      { name: 'bad', parameters: { type: 'object', properties: { count: { $ref: 42 } } } },
    ]);
    const parameters = {
      type: 'object',
      properties: { count: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
    };
    assert.deepEqual(
      all.map(({ spec }) => spec),
      [{ name: 'good', description: '', parameters }],
    );
    assert.deepEqual(leftOut, ['bad']);
  });

  for (const [name, tool] of [
    ['nested', { type: 'custom', custom: { name: 'patch', description: 'P.', format: { type: 'text' } } }],
    ['flat', { type: 'custom', name: 'patch', description: 'P.' }],
  ] as const) {
    it(`may take free text, ${name}`, () => {
      const [patch] = readTools([tool]).all;
      assert.equal(patch?.isCustom, true);
      assert.deepEqual([patch.spec.name, patch.spec.parameters.required], ['patch', ['input']]);
    });
  }

  it('describe the grammar of free text', () => {
    const grammar = { syntax: 'lark', definition: 'start: "x"' };
    for (const tool of [
      { type: 'custom', name: 'p', format: { type: 'grammar', ...grammar } },
      { type: 'custom', custom: { name: 'p', format: { type: 'grammar', grammar } } },
    ]) {
      assert.equal(readTools([tool]).all[0]?.spec.description, 'The input has this form (lark):\nstart: "x"');
    }
  });

  it('leave out what runs at a service, and say so', () => {
    const { all, leftOut } = readTools([
      { type: 'web_search' },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 5 },
      { type: 'mcp', server_label: 's', server_url: 'https://a.example' },
      { type: 'tool_search' },
      { type: 'computer_use_preview' },
    ]);
    assert.deepEqual(all, []);
    assert.deepEqual(leftOut, ['web_search', 'mcp', 'tool_search', 'computer_use_preview']);
  });

  it('include those that the API defines and the client runs', () => {
    const parameters = { type: 'object', properties: { query: { type: 'string' } } };
    const { all } = readTools([
      { type: 'tool_search', execution: 'client', description: 'Finds.', parameters },
      { type: 'local_shell' },
      { type: 'shell' },
      { type: 'apply_patch' },
    ]);
    assert.deepEqual(
      all.map(({ spec }) => spec.name),
      ['tool_search', 'local_shell', 'shell', 'apply_patch'],
    );
    assert.deepEqual(all[0]?.spec, { name: 'tool_search', description: 'Finds.', parameters });
  });

  const anthropic: readonly (readonly [
    tool: JsonObject & { readonly type: string; readonly name: string },
    names: readonly string[],
    required: readonly string[],
  ])[] = [
    [{ type: 'bash_20250124', name: 'bash' }, ['command', 'restart'], []],
    [
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool', max_characters: 9 },
      ['view', 'insert_text', 'view_range'],
      ['command', 'path'],
    ],
    [
      { type: 'text_editor_20241022', name: 'str_replace_editor' },
      ['undo_edit', 'view_range'],
      ['command', 'path'],
    ],
    [{ type: 'memory_20250818', name: 'memory' }, ['rename', 'old_path'], ['command']],
    [
      { type: 'computer_20251124', name: 'computer', display_width_px: 800, display_height_px: 600 },
      ['800', '600', 'zoom', 'region', 'scroll'],
      ['action'],
    ],
    // A version of the future.
    [{ type: 'bash_20271231', name: 'bash' }, ['command'], []],
  ];
  for (const [tool, names, required] of anthropic) {
    it(`include ${tool.type}, which comes without a schema`, () => {
      const { all, leftOut } = readTools([tool]);
      assert.deepEqual(leftOut, []);
      const { name, description, parameters } = all[0]!.spec;
      assert.equal(name, tool.name);
      for (const each of names)
        assert.ok(`${description} ${JSON.stringify(parameters)}`.includes(each), each);
      assert.deepEqual(parameters.required ?? [], required);
    });
  }

  it('of an older version offer only what it has', () => {
    const texts = [
      { type: 'text_editor_20250728', name: 'e' },
      { type: 'computer_20241022', name: 'c' },
    ].map((tool) => JSON.stringify(readTools([tool]).all[0]?.spec));
    assert.doesNotMatch(texts[0]!, /undo_edit/);
    assert.doesNotMatch(texts[1]!, /zoom|region|triple_click/);
  });

  it('have the schema of the client, if there is one', () => {
    const { all } = readTools([{ type: 'bash_20250124', name: 'bash', input_schema: SCHEMA }]);
    assert.deepEqual(all[0]?.spec.parameters, SCHEMA);
  });

  const deferred: readonly (readonly [
    name: string,
    tools: readonly JsonObject[],
    names: readonly string[],
  ])[] = [
    ['are not called before they are found', [{ name: 'find' }, LATER], ['find']],
    [
      'are not called before they are found, nested or in a namespace',
      [
        { name: 'find' },
        { type: 'function', function: { name: 'nested', defer_loading: true } },
        { type: 'namespace', name: 'docs', tools: [LATER, { name: 'read' }] },
      ],
      ['find', 'docs__read'],
    ],
    [
      'are all offered if only a service could find them',
      [{ name: 'read' }, LATER, { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }],
      ['read', 'later'],
    ],
    ['are all offered if there is no other', [LATER], ['later']],
  ];
  for (const [name, tools, names] of deferred) {
    it(`that are deferred ${name}`, () => {
      const offered = readTools(tools);
      assert.deepEqual(
        chosenTools(offered, 'auto').tools.map((tool) => tool.name),
        names,
      );
      assert.deepEqual(chosenTools(readTools([{ name: 'x' }, ...tools]), { name: 'later' }).tools.length, 1);
    });
  }

  it('count once if they come again', () => {
    const tool = { type: 'function', name: 'read' };
    const inside = { type: 'namespace', name: 'n', tools: [tool] };
    assert.equal(readTools([tool, inside], [inside, tool]).all.length, 2);
  });

  for (const none of [undefined, null, []]) {
    it(`are none if ${JSON.stringify(none)} is given`, () => assert.deepEqual(readTools(none).all, []));
  }

  for (const bad of [
    7,
    'x',
    {},
    ['x'],
    [7],
    [{}],
    [{ type: 'function' }],
    [{ type: 'namespace' }],
  ] as const) {
    it(`are not ${JSON.stringify(bad)}`, () => assert.throws(() => readTools(bad), BadRequest));
  }

  it('in namespaces have unique names, by which their calls are found again', () => {
    // Few letters, so that names meet.
    const word = fc.string({ unit: fc.constantFrom('a', '_', '.', 'é', '/'), minLength: 1, maxLength: 70 });
    const tool = fc.record({ type: fc.constant('function'), name: word });
    const namespace = fc.record({
      type: fc.constant('namespace'),
      name: word,
      tools: fc.array(tool, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(fc.oneof(tool, namespace), { maxLength: 6 }), (tools) => {
        const offered = readTools(tools);
        const names = offered.all.map(({ spec }) => spec.name);
        assert.equal(new Set(names).size, names.length);
        const identities = tools.flatMap((each) =>
          'tools' in each ? each.tools.map(({ name }) => [each.name, name]) : [[undefined, each.name]],
        );
        assert.equal(names.length, new Set(identities.map((each) => JSON.stringify(each))).size);
        for (const each of offered.all) {
          assert.equal(offered.nameOf(each.name, each.namespace), each.spec.name);
          assert.equal(offered.find(each.spec.name), each);
          if (each.namespace !== undefined) assert.match(each.spec.name, /^[A-Za-z0-9_-]{1,64}$/);
          else assert.equal(each.spec.name, each.name);
        }
      }),
      { numRuns: caseCount(500) },
    );
  });

  it('keep their names from request to request', () => {
    const long = {
      type: 'namespace',
      name: 'n'.repeat(60),
      tools: [{ type: 'function', name: 'query_docs' }],
    };
    const other = { type: 'namespace', name: 'o', tools: [{ type: 'function', name: 'x' }] };
    const [first] = readTools([long]).all;
    const [, second] = readTools([other, long]).all;
    assert.equal(first?.spec.name, second?.spec.name);
    assert.equal(readTools([]).nameOf('query_docs', long.name), first?.spec.name);
  });

  it('take the description of their namespace if they have none', () => {
    const tools = [{ name: 'a' }, { name: 'b', description: 'B.' }];
    const { all } = readTools([{ type: 'namespace', name: 'n', description: 'Docs.', tools }]);
    assert.deepEqual(
      all.map(({ spec }) => spec.description),
      ['Docs.', 'B.'],
    );
  });
});

const TOOLS = readTools([
  { name: 'read' },
  { type: 'custom', name: 'patch' },
  { type: 'namespace', name: 'docs', tools: [{ name: 'query' }, { name: 'read' }] },
  { type: 'shell' },
  { type: 'web_search' },
]);
const ALL = ['read', 'patch', 'docs__query', 'docs__read', 'shell'];

const choices: readonly (readonly [
  choice: Json | undefined,
  names: readonly string[],
  needsCall: boolean,
])[] = [
  [undefined, ALL, false],
  [null, ALL, false],
  ['auto', ALL, false],
  ['AUTO', ALL, false],
  [{}, ALL, false],
  [{ type: 'auto' }, ALL, false],
  [{ type: 'auto', disable_parallel_tool_use: true }, ALL, false],
  [{ mode: 'auto' }, ALL, false],
  ['none', [], false],
  [{ type: 'none' }, [], false],
  ['required', ALL, true],
  ['Required', ALL, true],
  ['any', ALL, true],
  [{ type: 'any' }, ALL, true],
  [{ type: 'required' }, ALL, true],
  [{ type: 'function', function: { name: 'patch' } }, ['patch'], true],
  [{ type: 'function', name: 'patch' }, ['patch'], true],
  [{ type: 'custom', custom: { name: 'patch' } }, ['patch'], true],
  [{ type: 'custom', name: 'patch' }, ['patch'], true],
  [{ type: 'tool', name: 'patch' }, ['patch'], true],
  [{ function: { name: 'patch' } }, ['patch'], true],
  [{ name: 'patch' }, ['patch'], true],
  ['patch', ['patch'], true],
  [{ type: 'function', name: 'query', namespace: 'docs' }, ['docs__query'], true],
  [{ type: 'function', name: 'read', namespace: 'docs' }, ['docs__read'], true],
  [{ type: 'function', name: 'docs__query' }, ['docs__query'], true],
  [{ type: 'function', name: 'query' }, ['docs__query'], true],
  [{ type: 'function', name: 'read' }, ['read'], true],
  [{ type: 'namespace', name: 'docs' }, ['docs__query', 'docs__read'], true],
  [{ type: 'shell' }, ['shell'], true],
  // It runs at a service, so it cannot be called.
  [{ type: 'web_search' }, ALL, false],
  [{ type: 'mcp', server_label: 's', name: 'x' }, ALL, false],
  [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'patch' }] }, ['patch'], false],
  [
    { type: 'allowed_tools', mode: 'required', tools: [{ type: 'shell' }, 'patch'] },
    ['patch', 'shell'],
    true,
  ],
  [{ type: 'allowed_tools', mode: 'auto', tools: [{ type: 'web_search' }] }, [], false],
  [
    {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'patch' } }] },
    },
    ['patch'],
    false,
  ],
];

describe('a choice of tools', () => {
  for (const [choice, names, needsCall] of choices) {
    it(`may be ${JSON.stringify(choice)}`, () => {
      const { tools, needsCall: needs } = chosenTools(TOOLS, choice);
      assert.deepEqual(
        tools.map(({ name }) => name),
        names,
      );
      assert.equal(needs, needsCall);
    });
  }

  for (const choice of [
    { type: 'function', name: 'fly' },
    { type: 'function', function: { name: 'fly' } },
    { function: { name: 'fly' } },
    { type: 'tool', name: 'fly' },
    { type: 'function' },
  ]) {
    it(`is not ${JSON.stringify(choice)}`, () => assert.throws(() => chosenTools(TOOLS, choice), BadRequest));
  }

  it('of a call without tools needs none', () => {
    assert.deepEqual(chosenTools(readTools([]), 'required'), { tools: [], needsCall: false });
  });
});
