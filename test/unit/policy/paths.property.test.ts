import fc from 'fast-check';
import assert from 'node:assert/strict';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathFileSystem } from '../../../src/node/path-file-system';
import { judgePath } from '../../../src/policy/paths';

const FOLDERS = ['ws/a/b', 'ws/b', 'ws-evil/a', 'out/a'];
const LINKS = ['ws/l', 'ws/m', 'ws/a/l', 'ws/a/b/m', 'out/l'];

const component = fc.constantFrom('a', 'b', 'l', 'm', 'new', '..', '..', '.', 'ws', 'ws-evil', 'out');
const relative = fc.array(component, { minLength: 1, maxLength: 7 }).map((names) => names.join('/'));
const anyPath = fc.tuple(relative, fc.boolean());

describe('judgePath on random trees of links', () => {
  let base: string;
  before(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-tree-')));
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  it('G6.property what it says lies inside is inside for the operating system', async () => {
    let tree = 0;
    let inside = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPath, { minLength: LINKS.length, maxLength: LINKS.length }),
        fc.array(anyPath, { minLength: 8, maxLength: 8 }),
        async (targets, asked) => {
          const top = path.join(base, String(tree++));
          for (const folder of FOLDERS) mkdirSync(path.join(top, folder), { recursive: true });
          const place = ([text, isAbsolute]: readonly [string, boolean]) =>
            isAbsolute ? `${top}/${text}` : text;
          for (const [index, link] of LINKS.entries()) {
            const target = targets[index];
            if (target !== undefined) symlinkSync(place(target), path.join(top, link));
          }
          const root = path.join(top, 'ws');
          for (const one of asked) {
            const text = place(one);
            const { verdict, resolved } = await judgePath(
              { roots: [root], path: text, use: 'write' },
              pathFileSystem,
            );
            const real = writtenPlace(path.isAbsolute(text) ? text : `${root}/${text}`);
            if (real !== undefined) {
              assert.equal(resolved, real);
              assert.equal(verdict.decision, isBelow(root, real) ? 'auto' : 'deny', text);
            } else if (verdict.decision === 'auto') {
              assert.ok(resolved !== undefined && isBelow(root, deepest(resolved)), text);
            }
            if (verdict.decision === 'auto') inside += 1;
          }
        },
      ),
      { numRuns: 100 },
    );
    assert.ok(inside > 30, `only ${inside} paths lay inside`);
  });
});

/** Where the operating system puts a file that is written there; `undefined` when it refuses. */
function writtenPlace(asked: string): string | undefined {
  if (existsSync(asked)) return realpathSync.native(asked);
  try {
    closeSync(openSync(asked, 'a'));
  } catch {
    // Missing folders, circles of links: nothing is written, so there is nothing to compare.
    return undefined;
  }
  const real = realpathSync.native(asked);
  rmSync(real);
  return real;
}

/** The deepest part that exists, with all links followed. */
function deepest(asked: string): string {
  return existsSync(asked) ? realpathSync.native(asked) : deepest(path.dirname(asked));
}

function isBelow(root: string, real: string): boolean {
  return real === root || real.startsWith(`${root}/`);
}
