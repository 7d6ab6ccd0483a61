import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../hosts/repository';

/** The code in each line of a part of the page; the first of a row is what the row is about. */
type Line = readonly string[];

const page = readFileSync(path.join(repository, 'test/README.md'), 'utf8');

describe('the page about tests', () => {
  it('fits on two pages', () => {
    assert.ok(page.split('\n').length <= 120);
  });

  it('has a row for every room of src, and no other', () => {
    const rows = section('Rooms of `src`').flatMap(firstCell);
    assert.deepEqual([...rows].sort(), ['extension.ts', ...foldersOf('src')].sort());
  });

  it('has a row for every folder of test', () => {
    const rows = section('Folders').flatMap(firstCell);
    assert.deepEqual([...rows].sort(), [...foldersIn('test')].sort());
  });

  it('names every room of helpers, and every helper that is in none', () => {
    const lines = section('Helpers');
    const rooms = foldersIn('test/support').map((room) => `support/${room}`);
    assert.deepEqual([...lines.flatMap(firstCell)].sort(), ['hosts', 'support', ...rooms].sort());
    const named = lines.filter((line) => firstCell(line).includes('support')).flatMap(codeIn);
    const alone = readdirSync(path.join(repository, 'test/support')).filter((name) => name.endsWith('.ts'));
    assert.deepEqual(
      alone.filter((name) => !named.includes(name)),
      [],
    );
  });

  it('names paths that are there', () => {
    const lines = page.split('\n').filter((line) => !line.includes('node esbuild.mjs'));
    const missing = lines.flatMap((line) =>
      codeIn(line).filter((code) => isPath(code) && !isThere(code, line)),
    );
    assert.deepEqual(missing, []);
  });
});

/** The rows of the table below a heading. */
function section(heading: string): readonly string[] {
  const [, text = ''] = page.split(`\n## ${heading}\n`);
  const rows = (text.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  assert.ok(rows.length > 0, heading);
  return rows;
}

function codeIn(text: string): Line {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

function firstCell(row: string): Line {
  return codeIn(row.split(' | ')[0] ?? '');
}

function isPath(code: string): boolean {
  return !code.includes(' ') && (/\.\w+$/.test(code) || code.includes('/'));
}

/** From `test`, `src`, the root, or a folder that the line names. */
function isThere(code: string, line: string): boolean {
  const named = codeIn(line).filter((each) => !/\.\w+$/.test(each));
  const folders = ['.', 'test', 'src', ...named.map((folder) => path.join('test', folder))];
  const [, below = '', pattern = ''] = /^(.*\/)?(.*\*.*)$/.exec(code) ?? [];
  if (pattern === '') return folders.some((folder) => existsSync(path.join(repository, folder, code)));
  const like = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.+')}$`);
  return folders
    .map((folder) => path.join(repository, folder, below))
    .some((folder) => existsSync(folder) && readdirSync(folder).some((name) => like.test(name)));
}

function foldersIn(folder: string): readonly string[] {
  return readdirSync(path.join(repository, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** The folders below that hold source files themselves. */
function foldersOf(folder: string, below = ''): readonly string[] {
  return foldersIn(path.join(folder, below)).flatMap((name) => {
    const room = path.posix.join(below, name);
    const holds = readdirSync(path.join(repository, folder, room)).some((file) => /\.tsx?$/.test(file));
    return [...(holds ? [room] : []), ...foldersOf(folder, room)];
  });
}
