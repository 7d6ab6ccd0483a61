import assert from 'node:assert/strict';
import path from 'node:path';
import { loadShellGrammar } from '../../../src/node/shell-grammar';
import type { ShellGrammar, ShellNode } from '../../../src/policy/commands/simple-commands';

const WASM = path.resolve(__dirname, '../../../src/node');

describe('loadShellGrammar', () => {
  let grammar: ShellGrammar;
  before(async () => {
    grammar = await loadShellGrammar(WASM);
  });

  const outline = (node: ShellNode): string =>
    node.children.length === 0
      ? `${node.type}:${node.text}`
      : `${node.type}(${node.children.map(outline).join(' ')})`;

  it('reads a text as a tree that outlives the next one', () => {
    const tree = grammar.parse("git log 'a b' | wc", 200);
    assert.ok(tree);
    grammar.parse('other text', 200);
    assert.equal(
      outline(tree),
      "program(pipeline(command(command_name(word:git) word:log raw_string:'a b') |:| command(command_name(word:wc))))",
    );
    assert.equal(tree.hasError, false);
  });

  it('counts characters, not bytes', () => {
    const tree = grammar.parse('é 😀 x', 200);
    const last = tree?.children[0]?.children.at(-1);
    assert.deepEqual([last?.text, last?.start, last?.end], ['x', 5, 6]);
  });

  it('tells quotes and operators from named nodes', () => {
    const tree = grammar.parse('a;', 200);
    assert.deepEqual(
      tree?.children.map((child) => [child.type, child.named]),
      [
        ['command', true],
        [';', false],
      ],
    );
  });

  it('marks what it could not read', () => {
    assert.equal(grammar.parse('echo "a', 200)?.hasError, true);
    assert.equal(grammar.parse('a )', 200)?.hasError, true);
  });

  it('G35.gives up when the time is over, and reads the next text from its start', () => {
    assert.equal(grammar.parse('a=('.repeat(2_000), 20), undefined);
    const tree = grammar.parse('git status', 1_000);
    assert.ok(tree);
    assert.equal(outline(tree), 'program(command(command_name(word:git) word:status))');
  });

  it('loads once, also when asked twice at the same time', async () => {
    const [first, second] = await Promise.all([loadShellGrammar(WASM), loadShellGrammar(WASM)]);
    assert.equal(first, grammar);
    assert.equal(second, grammar);
  });
});
