import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bytePath, isBelow, parentOf, type BytePath } from '../../../../src/node/sandbox/byte-paths';
import type { GuardedTree } from '../../../../src/node/sandbox/guarded-tree';
import { mountOptions, treeMounts, type Mount } from '../../../../src/node/sandbox/mounts';
import { caseCount } from '../../../hosts/random-cases';

const ROOT = bytePath('/w');
const name = fc.constantFrom('a', 'b', 'c');
const place = fc
  .array(name, { minLength: 1, maxLength: 5 })
  .map((names) => bytePath(`/w/${names.join('/')}`));

interface Given {
  readonly tree: GuardedTree;
  readonly targets: readonly BytePath[];
  readonly copies: ReadonlyMap<BytePath, BytePath>;
  readonly ownFolders: readonly BytePath[];
}

/** Places of all kinds, of which no file is also a folder of another. */
const given: fc.Arbitrary<Given> = fc
  .uniqueArray(
    fc.record({
      at: place,
      kind: fc.constantFrom(
        'file',
        'folder',
        'link',
        'repository',
        'secret',
        'locked',
        'target',
        'copy',
        'own',
      ),
    }),
    { selector: ({ at }) => at, maxLength: 8 },
  )
  .map((entries) => {
    const isFile = (kind: string): boolean => ['file', 'link', 'secret', 'copy'].includes(kind);
    const possible = entries.filter(
      ({ at }) => !entries.some((other) => other.at !== at && isFile(other.kind) && isBelow(at, other.at)),
    );
    const of = (kind: string): BytePath[] =>
      possible.filter((each) => each.kind === kind).map(({ at }) => at);
    const kept = (['file', 'folder', 'link'] as const).flatMap((kind) =>
      of(kind).map((at) => [at, { kind }] as const),
    );
    return {
      tree: {
        protected: new Map(kept),
        repositories: of('repository'),
        secret: of('secret'),
        maybeSecret: [],
        secretLinks: new Map(),
        caches: [],
        locked: of('locked'),
        files: new Map(),
        folders: new Map(),
      },
      targets: of('target'),
      copies: new Map(of('copy').map((at) => [at, bytePath('/copy')])),
      ownFolders: of('own'),
    };
  });

describe('treeMounts', () => {
  /** The effective mount of a path: its own, or that of the nearest folder above. */
  const shown = (mounts: readonly Mount[], at: BytePath): Mount | undefined =>
    [...mounts].reverse().find((mount) => isBelow(at, mount.at));

  const each = (check: (mounts: readonly Mount[], parts: Given) => void): void =>
    fc.assert(
      fc.property(given, (parts) => check(treeMounts({ roots: [ROOT], ...parts }), parts)),
      { numRuns: caseCount(1000) },
    );

  it('mounts no protected path as writable, and no secret one', () => {
    each((mounts, { tree, targets, copies, ownFolders }) => {
      const readOnly = [...tree.protected].filter(([, { kind }]) => kind !== 'link').map(([at]) => at);
      for (const at of [...readOnly, ...targets]) assert.notEqual(shown(mounts, at)?.type, 'write', at);
      for (const at of [...tree.secret, ...tree.locked, ...ownFolders])
        assert.equal(shown(mounts, at)?.type, 'hidden', at);
      for (const at of copies.keys())
        assert.ok(['copy', 'hidden'].includes(shown(mounts, at)?.type ?? ''), at);
    });
  });

  it('pins every folder around them that could be renamed', () => {
    each((mounts, { tree, targets, copies, ownFolders }) => {
      const guarded = [
        ...[...tree.protected.keys(), ...targets, ...tree.secret, ...tree.locked, ...copies.keys()],
        ...[...ownFolders, ...tree.repositories],
      ];
      for (const place of guarded) {
        for (let at = parentOf(place); at !== ROOT; at = parentOf(at)) {
          const isMount = mounts.some((mount) => mount.at === at);
          const around = shown(mounts, parentOf(at));
          assert.ok(isMount || around?.type === 'read' || around?.type === 'hidden', `${place}: ${at}`);
        }
      }
    });
  });

  it('mounts outer folders first, each path once, and no path below a hidden one', () => {
    each((mounts) => {
      for (const [index, { at }] of mounts.entries()) {
        const later = mounts.slice(index + 1);
        assert.ok(!later.some((other) => isBelow(at, other.at)), `${at} is covered`);
        const hidden = mounts.find(
          (other) => other.type === 'hidden' && other.at !== at && isBelow(at, other.at),
        );
        assert.equal(hidden, undefined);
      }
    });
  });

  it('mounts nothing writable inside a read-only path', () => {
    each((mounts, { tree }) => {
      for (const mount of mounts.filter(({ type }) => type === 'write')) {
        const around = mounts.filter(
          ({ at, type }) => type === 'read' && at !== mount.at && isBelow(mount.at, at),
        );
        // But a repository that may be written to.
        if (!tree.repositories.includes(mount.at)) assert.deepEqual(around, [], mount.at);
      }
    });
  });

  it('leaves paths outside the folders alone', () => {
    const mounts = treeMounts({
      roots: [ROOT],
      tree: {
        protected: new Map(),
        repositories: [],
        secret: [],
        maybeSecret: [],
        secretLinks: new Map(),
        caches: [],
        locked: [],
        files: new Map(),
        folders: new Map(),
      },
      targets: [],
      copies: new Map(),
      ownFolders: [bytePath('/elsewhere'), bytePath('/w/own')],
    });
    assert.ok(!mounts.some(({ at }) => at === '/elsewhere'));
    assert.ok(mounts.some(({ at, type }) => at === '/w/own' && type === 'hidden'));
  });
});

describe('mountOptions', () => {
  it('writes each kind as bwrap arguments', () => {
    const at = bytePath('/a');
    const mounts: readonly Mount[] = [
      { type: 'read', at },
      { type: 'write', at },
      { type: 'copy', at, from: bytePath('/from') },
      { type: 'hidden', at, kind: 'file' },
      { type: 'hidden', at, kind: 'folder' },
      { type: 'private', at },
      { type: 'shared', at, from: bytePath('/from') },
      { type: 'link', at, to: bytePath('b') },
    ];
    const options = mountOptions(mounts, { file: '/blank', folder: '/blanks' });
    assert.deepEqual(options.join(' ').split(/ (?=--)/u), [
      '--ro-bind /a /a',
      '--bind /a /a',
      '--ro-bind /from /a',
      '--ro-bind /blank /a',
      '--ro-bind /blanks /a',
      '--tmpfs /a',
      '--bind /from /a',
      '--symlink b /a',
    ]);
  });
});
