import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { load as parseYaml } from 'js-yaml';
import ts from 'typescript';
import { BY_PRODUCT, linesOf, otherChange, wordFault, type FileTexts } from '../../../src/doctor/job-files';
import type { Ending, Files } from './job';

/** Milliseconds that code of a finished job may run. */
const MOST = 10_000;

/** The message if a job asks for a change and there is none. */
export const NOTHING_CHANGED = 'Nothing has changed.';

/** The folder of a job, and what checks ask of it. Every method that looks at a result throws if it is not as wanted. */
export class JobFolder {
  constructor(
    readonly root: string,
    private readonly files: Files,
  ) {
    write(root, files);
  }

  /** Changes the folder as an ending says. */
  apply({ files = {} }: Ending): void {
    for (const [name, content] of Object.entries(files)) {
      if (content === null) rmSync(path.join(this.root, name));
      else write(this.root, { [name]: content });
    }
  }

  has(name: string): boolean {
    return existsSync(path.join(this.root, name));
  }

  /** Paths of all files, with slashes. */
  list(): readonly string[] {
    return readdirSync(this.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((name) => name in this.files || !BY_PRODUCT.test(name))
      .sort();
  }

  /** With LF as line ends. */
  text(name: string): string {
    assert.ok(this.has(name), `There is no ${name}.`);
    return readFileSync(path.join(this.root, name), 'utf8').replaceAll('\r\n', '\n');
  }

  texts(): FileTexts {
    return Object.fromEntries(this.list().map((name) => [name, this.text(name)]));
  }

  /** Lines without blanks around them, and without empty ones. */
  lines(name: string): readonly string[] {
    return linesOf(this.text(name));
  }

  json(name: string): unknown {
    return JSON.parse(this.text(name));
  }

  yaml(name: string): unknown {
    return parseYaml(this.text(name));
  }

  /** Only these files may differ, be new or be gone, and one of them is. Without names nothing may have changed. */
  changedOnly(...names: readonly string[]): void {
    const isChanged = (name: string): boolean =>
      (this.has(name) ? this.text(name) : undefined) !== this.files[name];
    assert.ok(names.length === 0 || names.some(isChanged), NOTHING_CHANGED);
    const change = otherChange(this.files, this.texts(), names);
    assert.equal(change, undefined, change);
  }

  /** What a script of Node prints that runs in a copy of the folder. TypeScript files can be required as JavaScript. */
  node(script: string): string {
    return this.inCopy((copy) => {
      for (const name of this.list().filter((each) => each.endsWith('.ts'))) {
        const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
        const { outputText } = ts.transpileModule(this.text(name), { compilerOptions: options });
        writeFileSync(path.join(copy, name.replace(/\.ts$/, '.js')), outputText);
      }
      return runProgram(process.execPath, ['-e', script], copy);
    });
  }

  /** The same for an expression; its value comes back as JSON. */
  value(expression: string): unknown {
    return JSON.parse(this.node(`console.log(JSON.stringify(${expression}))`));
  }

  /** What a script of Python prints that runs in a copy of the folder. */
  python(script: string): string {
    return this.inCopy((copy) => runProgram('python3', ['-B', '-c', script], copy));
  }

  private inCopy<T>(work: (copy: string) => T): T {
    const copy = mkdtempSync(path.join(tmpdir(), 'parley-job-check-'));
    try {
      cpSync(this.root, copy, { recursive: true });
      return work(copy);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }
}

function write(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), content);
  }
}

/** Throws if the program fails. */
function runProgram(program: string, args: readonly string[], cwd: string): string {
  const env = { PATH: process.env['PATH'], SYSTEMROOT: process.env['SYSTEMROOT'] };
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', timeout: MOST, stdio: 'pipe' }).trim();
}

/** The answer has each of these words, and none of the others. Case does not count. */
export function says(
  answer: string,
  words: readonly (string | RegExp)[],
  others: readonly string[] = [],
): void {
  const fault = wordFault(answer, words, others);
  assert.equal(fault, undefined, fault);
}
