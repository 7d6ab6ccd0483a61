import assert from 'node:assert/strict';
import { isPlainPath, makeTasks } from '../../../../../src/host/ui/chat/make-tasks';

const sample = {
  code: ['test/greet.test.js', 'src/greet.js', 'src/total.js', 'tools.config.js'],
  manifests: ['package.json'],
  texts: new Map([
    ['package.json', '{ "scripts": { "test": "node --test" } }'],
    ['src/greet.js', 'function greet() {}\n\nmodule.exports = { greet };\n'],
  ]),
  isTrusted: true,
};

describe('tasks of the greeting', () => {
  it('are made of the files of the folder', () => {
    assert.deepEqual(makeTasks(sample), [
      { type: 'explain', path: 'src/greet.js' },
      { type: 'tests' },
      { type: 'uses', name: 'greet' },
    ]);
  });

  it('run nothing in Restricted Mode', () => {
    assert.deepEqual(makeTasks({ ...sample, texts: new Map(), isTrusted: false }), [
      { type: 'explain', path: 'src/greet.js' },
      { type: 'project' },
      { type: 'explain', path: 'src/total.js' },
    ]);
  });

  for (const [language, code, manifests, texts] of [
    [
      'Python',
      ['shop/prices.py', 'tests/test_prices.py'],
      ['pyproject.toml'],
      [['shop/prices.py', 'def discount(a):\n']],
    ],
    ['Go', ['calc.go', 'calc_test.go'], ['go.mod'], [['calc.go', 'package calc\n\nfunc discount() {}\n']]],
    ['Rust', ['src/lib.rs'], ['Cargo.toml'], [['src/lib.rs', 'pub fn discount() {}\n']]],
    [
      'make',
      ['src/app.c'],
      ['Makefile'],
      [
        ['Makefile', 'all: app\ntest: app\n\t./run\n'],
        ['src/app.c', 'int discount(int a) {\n'],
      ],
    ],
  ] as const) {
    it(`know ${language}`, () => {
      const tasks = makeTasks({ code, manifests, texts: new Map(texts), isTrusted: true });
      assert.deepEqual(tasks.slice(1), [{ type: 'tests' }, { type: 'uses', name: 'discount' }]);
    });
  }

  it('are three in a folder without code, too', () => {
    assert.deepEqual(
      makeTasks({ code: [], manifests: [], texts: new Map(), isTrusted: true }).map(({ type }) => type),
      ['project', 'todos', 'list'],
    );
  });

  it('offer no test that npm has only filled in', () => {
    const none = '{ "scripts": { "test": "echo \\"Error: no test specified\\" && exit 1" } }';
    const tasks = makeTasks({ ...sample, texts: new Map([['package.json', none]]) });
    assert.ok(tasks.every(({ type }) => type !== 'tests'));
  });

  it('do not mention files whose names would be read as something else', () => {
    const names = [
      'a b.js',
      '`x`.js',
      'a\u202ecod.js',
      'a\u200bb.js',
      '@file:a.js',
      "it's.js",
      '-x.js',
      '../a.js',
      '<img>.js',
      `${'a'.repeat(80)}.js`,
    ];
    assert.deepEqual(names.filter(isPlainPath), []);
    assert.deepEqual(['src/greet.js', 'größe/a-b_c.d.ts'].filter(isPlainPath).length, 2);
  });
});
