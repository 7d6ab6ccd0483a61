import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolSpec } from '../../../../src/core/words/tool';
import type { WorkspaceFacts } from '../../../../src/core/words/workspace-facts';
import { findProtocol, replyForm } from '../../../../src/protocols';
import { toGbnf } from '../../../../src/protocols/grammar/gbnf';
import { matchGrammar } from '../../../../src/protocols/grammar/match';
import { applyEdit } from '../../../../src/tools/edit/apply-edit';
import { parseText } from '../../../support/protocols/run-parser';
import { sampleGrammar } from '../../../support/protocols/sample-grammar';

const plain = findProtocol('plain')!;
const text = { type: 'string' } as const;
const edit: ToolSpec = {
  ...{ name: 'replace_lines', description: 'Replaces lines.', names: { path: 'file', old: 'lines' } },
  parameters: {
    ...{ type: 'object', additionalProperties: false, required: ['path', 'old', 'new'] },
    properties: { path: text, old: text, new: text },
  },
};
const list: ToolSpec = {
  ...{ name: 'list_files', description: 'Lists.', names: { path: 'folder' } },
  parameters: { type: 'object', properties: { path: text }, required: ['path'], additionalProperties: false },
};
const INI = '[queue]\ntimeout = 30\nretries = 3\n\n[http]\ntimeout = 30\nkeep_alive = yes\n';
const facts: WorkspaceFacts = {
  files: ['conf/a.ini', 'conf/b.ini', 'src/a.js'],
  texts: new Map([['conf/a.ini', INI]]),
};

function accepts(reply: string, options: { readonly facts?: WorkspaceFacts }): boolean {
  const grammar = plain.grammar!([edit, list], { steps: 'one', ...options });
  return matchGrammar(grammar, reply).isWhole;
}

const change = (path: string, old: string): string =>
  `Thought: I change it.\nTool: replace_lines\nPath: ${path}\nOld:\n${old}New:\ntimeout = 45\n<<<END`;
const look = (path: string): string => `Thought: I look.\nTool: list_files\nPath: ${path}\n<<<END`;

describe('a form that knows the workspace', () => {
  const rows: readonly (readonly [what: string, reply: string, isAllowed: boolean])[] = [
    ['a run that occurs once', change('conf/a.ini', '[http]\ntimeout = 30\n'), true],
    ['a longer run', change('conf/a.ini', '[queue]\ntimeout = 30\nretries = 3\n\n[http]\n'), true],
    [
      'a run from a line of which there are two on',
      change('conf/a.ini', 'timeout = 30\nkeep_alive = yes\n'),
      true,
    ],
    ['one line that occurs once', change('conf/a.ini', 'retries = 3\n'), true],
    ['a line that occurs twice', change('conf/a.ini', 'timeout = 30\n'), false],
    ['a line that the file does not have', change('conf/a.ini', 'timeout = 31\n'), false],
    ['a run that begins with a blank line', change('conf/a.ini', '\n[http]\n'), false],
    ['any text of a file that was not seen', change('conf/b.ini', 'anything\n'), true],
    ['a file that does not exist', change('conf/c.ini', 'anything\n'), false],
    ['a file outside', change('../other/c.ini', 'anything\n'), true],
    ['an absolute path', change('/etc/hosts', 'anything\n'), true],
    ['a file in an ignored folder', change('node_modules/x/index.js', 'anything\n'), true],
    ['a folder', look('conf'), true],
    ['the workspace', look('.'), true],
    ['a folder that does not exist', look('lib'), false],
  ];
  for (const [what, reply, isAllowed] of rows)
    it(`${isAllowed ? 'allows' : 'does not allow'} ${what}`, () => {
      assert.equal(accepts(reply, { facts }), isAllowed);
      // What is not known is not forbidden.
      assert.equal(accepts(reply, {}), true);
    });

  it('allows edits of files that were seen only', () => {
    const seen = { ...facts, seen: ['conf/a.ini', 'src/a.js'] };
    assert.equal(accepts(change('conf/b.ini', 'anything\n'), { facts: seen }), false);
    assert.equal(accepts(change('src/a.js', 'anything\n'), { facts: seen }), true);
    assert.equal(accepts(change('conf/a.ini', 'retries = 3\n'), { facts: seen }), true);
    assert.equal(accepts(change('/etc/hosts', 'anything\n'), { facts: seen }), true);
  });

  it('does not allow another look at what was read and is as it was', () => {
    const read: ToolSpec = { ...list, name: 'read_file', names: { path: 'unread' } };
    const allows = (path: string, known: WorkspaceFacts): boolean =>
      matchGrammar(
        plain.grammar!([read], { steps: 'one', facts: known }),
        look(path).replace('list_files', 'read_file'),
      ).isWhole;
    const seen = { ...facts, read: new Set(['conf/a.ini']) };
    assert.deepEqual([allows('conf/a.ini', seen), allows('conf/b.ini', seen)], [false, true]);
    assert.equal(allows('conf/a.ini', facts), true);
  });

  it('quotes names and lines, whatever they hold', () => {
    const odd = { files: ['a"b.txt', 'ü/c]d.txt', '-x'], texts: new Map([['-x', 'say "a\\b" | [^c]\n']]) };
    const tools = { instructions: '', turns: [], tools: [edit], steps: 'one' } as const;
    const form = replyForm({ protocol: 'plain', conversation: { ...tools, facts: odd } })!;
    assert.ok(form.accepts(change('a"b.txt', 'x\n')));
    assert.ok(form.accepts(change('-x', 'say "a\\b" | [^c]\n')));
    assert.match(form.grammar(undefined), /\\"a\\\\b\\"/);
  });

  it('lets only edits through that are read as they were written and find their place', () => {
    const line = fc.constantFrom(
      'a',
      'a = 1',
      '  b',
      '',
      'Tool: x',
      'New:',
      '<<<END',
      '\\',
      '}',
      'ü "q" \\n',
    );
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1 }),
        (lines, isEnded, numbers) => {
          fc.pre(lines.some((each) => each.trim() !== ''));
          const content = lines.join('\n') + (isEnded ? '\n' : '');
          const known = { files: ['f'], texts: new Map([['f', content]]) };
          const grammar = plain.grammar!([edit], { steps: 'one', isNeeded: true, facts: known });
          let at = 0;
          const reply = sampleGrammar(grammar, () => numbers[at++ % numbers.length] ?? 0);
          const [call] = parseText(plain, [reply], [edit]).calls;
          assert.ok(call, reply);
          assert.ok(matchGrammar(grammar, reply).isWhole);
          // Servers refuse to repeat nothing.
          assert.doesNotMatch(toGbnf(grammar), /(?<!\\)""[?*+{]/);
          const { path, old } = call.arguments as Record<string, string>;
          if (path !== 'f') return;
          const outcome = applyEdit(content, { old: String(old), new: 'z\n', expect: 1 }, 1e6);
          const isTwice = content.split(String(old).trimEnd()).length > 2;
          assert.ok(
            outcome.type === 'applied' || isTwice,
            `${outcome.type}: ${JSON.stringify([content, old])}`,
          );
        },
      ),
    );
  });

  it('stays small: 1,500 paths in 60 KB, and 300 lines', () => {
    const files = Array.from({ length: 1_500 }, (_, at) => `packages/p${at % 40}/src/module-${at}.ts`);
    const many = { files, texts: new Map<string, string>() };
    const gbnf = toGbnf(plain.grammar!([edit, list], { steps: 'one', facts: many }));
    assert.ok(gbnf.length < 60_000, String(gbnf.length));
    const content = Array.from({ length: 299 }, (_, at) => `  value_${at}: ${at},\n`).join('');
    const long = { files: ['f'], texts: new Map([['f', content]]) };
    assert.ok(toGbnf(plain.grammar!([edit], { steps: 'one', facts: long })).length < 60_000);
  });
});
