import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { repository } from '../hosts/repository';

/** Folders with tests, and what only tests use. */
const FOLDERS = [
  'docs',
  'e2e',
  'installed',
  'integration',
  'long',
  'network',
  'pages',
  'release',
  'support',
  'unit',
];

/** Where windows are tested from outside. Looks at pages in `pages` wait by themselves until the page is at rest. */
const WINDOWS = ['e2e', 'release'];

/** The files that may wait for a time; `support/eventually.ts` does between two looks, by the timers that no test has replaced. */
const PAUSES: Readonly<Record<string, string>> = {
  'support/turns.ts': 'passes time for what a test simulates',
};

/** The files that may read a clock. */
const CLOCKS: Readonly<Record<string, string>> = {
  'support/measure/event-loop-delay.ts': 'subtracts the time in which other programs had the processors',
  'support/eventually.ts': 'has a limit',
  'support/measure/output-load.ts': 'counts updates per second, of which a busy machine has fewer',
  'support/pages/page-work.ts': 'has a limit',
  'support/processes/sleep-command.ts': 'compares with half a minute',
};

const ASSERTION = /^(assert(\.\w+)?|deepEqual|doesNotMatch|equal|match|notEqual|ok)$/;

/** Methods that look once at an element of a page. */
const LOOK =
  /\.(all(InnerTexts|TextContents)|ariaSnapshot|boundingBox|content|count|evaluate(All)?|getAttribute|inner(HTML|Text)|inputValue|is(Checked|Disabled|Editable|Enabled|Hidden|Visible)|textContent)$/;

interface TestFile {
  readonly name: string;
  readonly source: ts.SourceFile;
}

const files: readonly TestFile[] = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(repository, 'test', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file): TestFile => {
      const name = path.join(folder, file).replaceAll('\\', '/');
      const text = readFileSync(path.join(repository, 'test', name), 'utf8');
      return { name, source: ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true) };
    }),
);

/** Returns file and line of each node of this kind. */
function found(isOne: (node: ts.Node) => boolean, among = files): readonly string[] {
  return among.flatMap(({ name, source }) => {
    const places: string[] = [];
    const visit = (node: ts.Node): void => {
      if (isOne(node))
        places.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return places;
  });
}

function except(reasons: Readonly<Record<string, string>>): readonly TestFile[] {
  return files.filter(({ name }) => !(name in reasons));
}

function isCallOf(node: ts.Node, name: RegExp): node is ts.CallExpression {
  return ts.isCallExpression(node) && name.test(node.expression.getText());
}

/** A timer in this process; one without a delay only lets the event loop turn. */
function isPause(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node))
    return /timers\/promises/.test(node.moduleSpecifier.getText()) && /\bsetTimeout\b/.test(node.getText());
  return isCallOf(node, /\.waitForTimeout$/) || (isCallOf(node, /^setTimeout$/) && node.arguments.length > 1);
}

/** An assertion about one look at a page, which may come too early. */
function isLookOnce(node: ts.Node): boolean {
  if (!isCallOf(node, ASSERTION)) return false;
  for (let around: ts.Node = node; !ts.isSourceFile(around); around = around.parent)
    if (isCallOf(around, /^(eventually|until)$/)) return false;
  const looks = (inner: ts.Node): boolean => {
    if (ts.isFunctionLike(inner) || isCallOf(inner, /^lookOnce$/)) return false;
    return isCallOf(inner, LOOK) || (ts.forEachChild(inner, (each) => looks(each) || undefined) ?? false);
  };
  return node.arguments.some(looks);
}

describe('tests', () => {
  it('do not wait for a time', () => {
    assert.deepEqual(found(isPause, except(PAUSES)), []);
  });

  it('measure no time that grows with the load of the machine', () => {
    assert.deepEqual(
      found((node) => isCallOf(node, /^(performance\.now|process\.hrtime(\.bigint)?)$/), except(CLOCKS)),
      [],
    );
  });

  it('repeat a look at a window until it holds, or say that they look once', () => {
    const windows = files.filter(({ name }) => WINDOWS.includes(name.split('/')[0] ?? ''));
    assert.deepEqual(found(isLookOnce, windows), []);
  });

  it('have no needless exceptions from these rules', () => {
    const needed = (isOne: (node: ts.Node) => boolean, of: Readonly<Record<string, string>>): unknown =>
      Object.keys(of).filter(
        (name) =>
          found(
            isOne,
            files.filter((file) => file.name === name),
          ).length === 0,
      );
    assert.deepEqual(needed(isPause, PAUSES), []);
    assert.deepEqual(
      needed((node) => isCallOf(node, /^performance\.now$/), CLOCKS),
      [],
    );
  });
});

describe('the rules for tests', () => {
  for (const { name, code, isFound } of [
    { name: 'a pause', code: 'await new Promise((resolve) => setTimeout(resolve, 50));', isFound: true },
    {
      name: 'a turn of the timers',
      code: 'await new Promise((resolve) => setTimeout(resolve));',
      isFound: false,
    },
    { name: 'a pause of a page', code: 'await chat.page.waitForTimeout(50);', isFound: true },
    {
      name: 'a pause by another name',
      code: "import { setTimeout as wait } from 'node:timers/promises';",
      isFound: true,
    },
    { name: 'a look', code: 'assert.equal(await box().count(), 1);', isFound: true },
    {
      name: 'a repeated look',
      code: 'await eventually(async () => equal(await box().count(), 1));',
      isFound: false,
    },
    { name: 'a look that says so', code: 'equal(await lookOnce(box().count()), 0);', isFound: false },
  ]) {
    it(`${isFound ? 'refuse' : 'allow'} ${name}`, () => {
      const source = ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true);
      const places = found((node) => isPause(node) || isLookOnce(node), [{ name: 'a.ts', source }]);
      assert.deepEqual(places, isFound ? ['a.ts:1'] : []);
    });
  }
});
