import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toolsWithoutFolder } from '../../../src/cli/built-in';
import { repository } from '../../hosts/repository';

describe('the list of tools', () => {
  it('has a test for every tool', () => {
    const titles = describedIn(path.join(repository, 'test/unit'));
    const sentences = toolsWithoutFolder()
      .map(({ spec }) => spec.name)
      .filter((name) => !titles.some((title) => title.split(/[^\w]+/).includes(name)))
      .map((name) => `The tool ${name} has no tests. Write test/unit/tools/${fileOf(name)}.`);
    assert.ok(sentences.length === 0, sentences.join('\n'));
  });
});

/** The titles of all `describe` blocks below a folder. */
function describedIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .flatMap((text) => [...text.matchAll(/\bdescribe\('([^']*)'/g)].map(([, title = '']) => title));
}

function fileOf(tool: string): string {
  return `${tool.replaceAll('_', '-')}.test.ts`;
}
