import assert from 'node:assert/strict';
import { runDemo, type Project } from '../../../support/agent/demo-project';

const FIX = 'Run the tests and fix what fails';

function python(): Project {
  return {
    files: {
      'pyproject.toml': '[project]\nname = "shop"\n',
      'shop/prices.py': [
        '"""Prices and what is taken off them."""',
        'import math',
        '',
        'def discount(price, percent):',
        '    return price + percent',
        '',
        'def label(name):',
        '    return f"Prize of {name.strp()}"',
        '',
      ].join('\n'),
      'tests/test_prices.py': [
        'from shop.prices import discount, label',
        '',
        'def test_discount():',
        '    assert discount(10, 3) == 7',
        '',
        'def test_label():',
        '    assert label(" tea ") == "Price of tea"',
        '',
      ].join('\n'),
    },
    tests: ({ 'shop/prices.py': text = '' }) => {
      const head = 'Exit code 1 after 900 ms.\n=========== FAILURES ===========\n';
      const failed = (name: string, lines: readonly string[]): string =>
        `_______________ ${name} _______________\n\n${lines.join('\n')}\n`;
      const reports: string[] = [];
      if (text.includes('price + percent'))
        reports.push(
          failed('test_discount', [
            '    def test_discount():',
            '>       assert discount(10, 3) == 7',
            'E       assert 13 == 7',
            'E        +  where 13 = discount(10, 3)',
            '',
            'tests/test_prices.py:4: AssertionError',
          ]),
        );
      if (text.includes('strp'))
        reports.push(
          failed('test_label', [
            '>       assert label(" tea ") == "Price of tea"',
            'tests/test_prices.py:7: ',
            '>       return f"Prize of {name.strp()}"',
            "E       AttributeError: 'str' object has no attribute 'strp'. Did you mean: 'strip'?",
            '',
            'shop/prices.py:8: AttributeError',
          ]),
        );
      else if (text.includes('Prize'))
        reports.push(
          failed('test_label', [
            `>       assert label(" tea ") == "Price of tea"`,
            `E       AssertionError: assert 'Prize of tea' == 'Price of tea'`,
            'tests/test_prices.py:7: AssertionError',
          ]),
        );
      return reports.length === 0 ? '2 passed in 0.01s' : head + reports.join('\n');
    },
  };
}

function go(): Project {
  return {
    files: {
      'go.mod': 'module example.com/calc\n',
      'calc.go': '// Package calc computes.\npackage calc\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n',
      'calc_test.go':
        'package calc\n\nfunc TestAdd(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf("Add(2, 3) = %d; want 5", got)\n\t}\n}\n',
    },
    tests: ({ 'calc.go': text = '' }) =>
      text.includes('a + b')
        ? 'ok  \texample.com/calc\t0.002s'
        : 'Exit code 1 after 2.1 s.\n--- FAIL: TestAdd (0.00s)\n    calc_test.go:5: Add(2, 3) = -1; want 5\nFAIL\nFAIL\texample.com/calc\t0.002s\nFAIL',
  };
}

function typescript(): Project {
  return {
    files: {
      'package.json': '{\n  "scripts": { "test": "vitest run" }\n}\n',
      'src/title.ts':
        '// Makes titles.\nexport function title(text: string): string {\n  return `Titel: ${text.trim()}`;\n}\n',
      'src/title.test.ts':
        "import { title } from './title';\n\nit('makes a title', () => {\n  expect(title('a')).toBe('Title: a');\n});\n",
    },
    tests: ({ 'src/title.ts': text = '' }) =>
      text.includes('Title:')
        ? ' Test Files  1 passed (1)'
        : [
            'Exit code 1 after 1.2 s.',
            ' FAIL  src/title.test.ts > makes a title',
            "AssertionError: expected 'Titel: a' to be 'Title: a' // Object.is equality",
            '',
            'Expected: "Title: a"',
            'Received: "Titel: a"',
            '',
            ' ❯ src/title.test.ts:4:22',
          ].join('\n'),
  };
}

describe('demo in projects that it does not know', () => {
  it('fixes three faults of a Python project one after the other', () => {
    const project = python();
    const { calls, answer } = runDemo(project, FIX);
    assert.match(answer, /^The tests pass now\. `python3 -m pytest`[^]*I changed 3 lines/);
    assert.match(project.files['shop/prices.py'] ?? '', /price - percent[^]*"Price of \{name\.strip\(\)\}"/);
    // Every file is read before it is changed.
    assert.ok(calls.indexOf('read_file shop/prices.py') < calls.indexOf('edit_file shop/prices.py'));
  });

  it('fixes an operator in Go', () => {
    const project = go();
    assert.match(runDemo(project, FIX).answer, /`calc\.go`, line 5: `a - b` became `a \+ b`/);
  });

  it('fixes a text in TypeScript', () => {
    const project = typescript();
    assert.match(
      runDemo(project, FIX).answer,
      /`npm test`[^]*`src\/title\.ts`, line 3: `Titel` became `Title`/,
    );
  });

  it('says so if it cannot help, and leaves the files unchanged', () => {
    const project = typescript();
    project.files['src/title.ts'] =
      'export const title = (text: string) => ["T", "itel: "].join("") + text;\n';
    const before = structuredClone(project.files);
    const { answer } = runDemo(project, FIX);
    assert.match(answer, /`npm test` still fails in 1 place\.[^]*`src\/title\.test\.ts:4`[^]*I am a script/);
    assert.deepEqual(project.files, before);
  });

  it('reverts a guess that did not help', () => {
    const project = go();
    const { calls } = runDemo(
      { ...project, tests: (files) => go().tests({ ...files, 'calc.go': '' }, '') },
      FIX,
    );
    assert.equal(calls.filter((call) => call === 'edit_file calc.go').length, 2);
    assert.match(project.files['calc.go'] ?? '', /return a - b/);
  });

  for (const rejected of ['run_shell_command', 'edit_file']) {
    it(`says so and stops if ${rejected} was rejected`, () => {
      const project = { ...go(), rejected };
      const { calls, answer } = runDemo(project, FIX);
      assert.match(answer, new RegExp(`^I stopped, because \`${rejected}\` did not run: .*rejected`));
      assert.equal(calls.filter((call) => call.startsWith(rejected)).length, 1);
      assert.match(project.files['calc.go'] ?? '', /a - b/);
    });
  }

  it('says that there are no tests', () => {
    const project = { files: { 'a.txt': 'a\n' }, tests: () => '' };
    assert.match(runDemo(project, FIX).answer, /I found no tests here/);
  });

  it('explains files by their text', () => {
    assert.match(
      runDemo(python(), 'Explain shop/prices.py').answer,
      /is Python, 8 lines\. Its first comment says: `Prices and what is taken off them\.`[^]*the function `discount` \(line 4\) and the function `label` \(line 7\)\. It imports `math`\.[^]*used by `tests\/test_prices\.py` \(line 1\)/,
    );
    assert.match(
      runDemo(typescript(), 'explain `src/title.ts`.').answer,
      /is TypeScript, 4 lines\.[^]*exports `title`[^]*used by `src\/title\.test\.ts`/,
    );
    assert.match(runDemo(go(), 'Explain calc.go').answer, /is Go, 6 lines\.[^]*exports `Add`/);
  });

  it('says where a name is defined and used', () => {
    assert.match(
      runDemo(go(), 'Find where Add is used').answer,
      /occurs in 3 lines of 2 files\.[^]*defined in `calc\.go` \(line 4\)[^]*Tests use it in `calc_test\.go` \(lines 4 and 5\)/,
    );
    assert.match(runDemo(go(), 'Where is Subtract used?').answer, /I found `Subtract` nowhere/);
  });

  it('says what the project is', () => {
    assert.match(
      runDemo(go(), 'What is this project?').answer,
      /This is a Go module: I see 3 files, mostly Go\./,
    );
  });
});
