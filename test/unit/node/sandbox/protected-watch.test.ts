import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { bytePath, isBelow, type BytePath } from '../../../../src/node/sandbox/byte-paths';
import { lookAtTree, type LookOptions } from '../../../../src/node/sandbox/guarded-tree';
import { ProtectedWatch } from '../../../../src/node/sandbox/protected-watch';
import { caseCount } from '../../../hosts/random-cases';
import { linux } from '../../../support/platform';

type Step = readonly [action: 'folder' | 'file' | 'link' | 'move', at: string, to: string];

const place = fc
  .array(
    fc.constantFrom(
      'a',
      'b',
      '.git',
      '.vscode',
      'AGENTS.md',
      'node_modules',
      'hooks',
      '.github',
      'workflows',
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((names) => names.join('/'));
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(fc.constantFrom('folder', 'file', 'link', 'move'), place, place),
  { maxLength: 12 },
);

function take(root: string, [action, at, to]: Step): void {
  try {
    if (action === 'folder') mkdirSync(path.join(root, at), { recursive: true });
    else if (action === 'file') writeFileSync(path.join(root, at), to);
    else if (action === 'link') symlinkSync(to, path.join(root, at));
    else renameSync(path.join(root, at), path.join(root, to));
  } catch {
    // Not every step is possible.
  }
}

/** What is below something else is moved away with it. */
function outermost(places: readonly BytePath[]): readonly BytePath[] {
  return places.filter((at) => !places.some((other) => other !== at && isBelow(at, other))).sort();
}

linux.describe('ProtectedWatch', () => {
  let root: string;
  beforeEach(() => (root = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-watch-')))));
  afterEach(() => rmSync(root, { recursive: true }));

  /** Compares without waiting for the system's reports, as if the system had lost them. */
  it('G38 finds all that a scan finds, and nothing that was there before', async () => {
    await fc.assert(
      fc.asyncProperty(steps, steps, fc.boolean(), async (first, second, isGitWritable) => {
        const top = mkdtempSync(path.join(root, 'case-'));
        for (const step of first) take(top, step);
        const look = { secretNames: [], isGitWritable, watches: 'nothing' } satisfies Partial<LookOptions>;
        const before = await lookAtTree({ ...look, roots: [bytePath(top)] });
        const found = new Set<BytePath>();
        const watch = new ProtectedWatch({ before, look, onAppeared: (at) => found.add(at) });
        await watch.begin();
        for (const step of second) take(top, step);
        await watch.compare();
        watch.dispose();
        const after = await lookAtTree({ ...look, roots: [bytePath(top)] });
        const isNew = (at: BytePath): boolean => {
          const [one, other] = [before.protected.get(at), after.protected.get(at)];
          return one?.kind !== other?.kind || one?.link !== other?.link;
        };
        const expected = [
          ...[...after.protected.keys()].filter(isNew),
          ...after.repositories.filter((at) => !before.repositories.includes(at)),
        ];
        assert.deepEqual(outermost([...found]), outermost(expected));
      }),
      { numRuns: caseCount(400) },
    );
  });
});
