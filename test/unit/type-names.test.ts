import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const SOURCE = path.resolve('src');

/** Rooms in which one name still stands for two types. */
const EXEMPT: readonly string[] = ['tools', 'policy', 'models', 'mcp', 'node', 'host', 'webview'];

const rooms = readdirSync(SOURCE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('names of types', () => {
  for (const room of rooms.filter((each) => !EXEMPT.includes(each))) {
    it(`mean one type each in ${room}`, () => {
      assert.deepEqual(namesOfTwo(room), []);
    });
  }

  it('are exempt only where a name still means two', () => {
    assert.deepEqual(
      EXEMPT.filter((room) => namesOfTwo(room).length === 0),
      [],
    );
  });
});

/** The names that are declared more than once, with their files. */
function namesOfTwo(room: string): string[] {
  const files = new Map<string, string[]>();
  for (const file of readdirSync(path.join(SOURCE, room), { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue;
    const text = readFileSync(path.join(SOURCE, room, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
      files.set(name, [...(files.get(name) ?? []), file]);
  }
  return [...files].flatMap(([name, all]) => (all.length > 1 ? [`${name}: ${all.join(', ')}`] : []));
}
