import fc from 'fast-check';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PathUse } from '../../../../src/core/words/verdict';
import { pathFileSystem } from '../../../../src/node/files/path-file-system';
import { judgePath, type JudgedPath } from '../../../../src/policy/paths/paths';
import { posix } from '../../../support/platform';
import { caseCount } from '../../../hosts/random-cases';

const FOLDERS = ['ws/a/b', 'ws/b', 'ws/.git/a', 'ws-evil/a', 'WS/a', 'out/a', 'out/.git'];
const FILES = ['ws/a/x', 'ws/.env', 'ws/.git/x', 'ws-evil/x', 'WS/x', 'out/x', 'out/.env', 'ws/caf\u00e9'];
const LINKS = ['ws/l', 'ws/m', 'ws/a/l', 'ws/a/b/m', 'ws/.env.local', 'out/l'];
const PIPES = ['ws/p', 'out/p'];

const component = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'l', 'm', 'x', 'new', '..', '..', '.', 'ws', 'out') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['ws-evil', 'WS', 'A', 'p', '.git', '.GIT', '.g\u200bit', '\uff0egit', '.env', '.ENV', '.env.local'],
      ...['caf\u00e9', 'cafe\u0301', '', '...', 'a '],
    ),
  },
);
const relative = fc
  .array(component, { minLength: 1, maxLength: 7 })
  .map((names) => names.join('/'))
  .filter((text) => !text.startsWith('/') && text.trim() !== '');
const anyPath = fc.tuple(relative, fc.boolean());
/** Half of the links lead to a folder that exists. */
const linkTarget = fc.oneof(
  anyPath,
  fc.constantFrom(...FOLDERS).map((folder): [string, boolean] => [folder, true]),
);
/** Some paths go through a link and back, which is not where they came from. */
const askedPath = fc.oneof(
  { weight: 3, arbitrary: anyPath },
  // Pipes are refused to everybody; few random paths lead to one.
  { weight: 1, arbitrary: fc.constantFrom('p', '../out/p').map((pipe): [string, boolean] => [pipe, false]) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('l', 'm', 'a/l', 'a/b/m'), fc.constantFrom('..', '../..'), relative)
      .map((parts): [string, boolean] => [parts.join('/'), false]),
  },
);
const USES: readonly PathUse[] = ['read', 'write', 'list', 'search', 'delete', 'move'];

posix.describe('judgePath on random trees of links', () => {
  let base: string;
  before(() => {
    base = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-tree-')));
    execFileSync('mkfifo', [path.join(base, 'pipe')]);
  });
  after(() => rmSync(base, { recursive: true, force: true }));

  it('G6.property what it says lies inside is inside for the operating system', async function () {
    this.timeout(60_000);
    const seen = new Map<string, number>();
    let tree = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(linkTarget, { minLength: LINKS.length, maxLength: LINKS.length }),
        fc.array(askedPath, { minLength: 10, maxLength: 10 }),
        async (targets, asked) => {
          const top = path.join(base, String(tree++));
          plant(top, base, targets);
          const root = path.join(top, 'ws');
          for (const one of asked) {
            const text = spelled(top, one);
            for (const use of USES) {
              const place = await judgePath({ roots: [root], path: text, use }, pathFileSystem);
              mustAgree({ root, text, use, place });
              const { decision } = place.verdict;
              seen.set(`${use} ${decision}`, (seen.get(`${use} ${decision}`) ?? 0) + 1);
            }
          }
        },
      ),
      { numRuns: caseCount(60) },
    );
    for (const use of USES) {
      for (const decision of ['auto', 'ask', 'deny'])
        assert.ok((seen.get(`${use} ${decision}`) ?? 0) > 0, `no ${use} ${decision}`);
    }
  });
});

function plant(top: string, base: string, targets: readonly (readonly [string, boolean])[]): void {
  for (const folder of FOLDERS) mkdirSync(path.join(top, folder), { recursive: true });
  for (const file of FILES) writeFileSync(path.join(top, file), '');
  for (const pipe of PIPES) linkSync(path.join(base, 'pipe'), path.join(top, pipe));
  for (const [index, link] of LINKS.entries()) {
    const target = targets[index];
    if (target !== undefined) symlinkSync(spelled(top, target), path.join(top, link));
  }
}

function spelled(top: string, [text, isAbsolute]: readonly [string, boolean]): string {
  return isAbsolute ? `${top}/${text}` : text;
}

interface Answer {
  readonly root: string;
  readonly text: string;
  readonly use: PathUse;
  readonly place: JudgedPath;
}

/** The operating system, and a second reading of the rules, as the judges of a verdict. */
function mustAgree({ root, text, use, place }: Answer): void {
  const { decision, reason } = place.verdict;
  const said = `${use} ${JSON.stringify(text)}: ${decision}, ${reason}`;
  const asked = path.isAbsolute(text) ? text : `${root}/${text}`;
  const changesEntry = use === 'delete' || use === 'move';
  const isChange = use === 'write' || changesEntry;
  const real = writtenPlace(asked);
  if (real === undefined) {
    // Missing folders, circles of links, a file as a folder: nothing can be written there.
    if (decision === 'auto')
      assert.ok(place.resolved !== undefined && isBelow(root, deepest(place.resolved)), said);
    return;
  }
  if (!changesEntry) assert.equal(place.resolved, real, said);
  if (!isBelow(root, real)) {
    assert.notEqual(decision, 'auto', said);
    if (isChange) assert.equal(decision, 'deny', said);
    return;
  }
  const isDirectory = existsSync(real) && statSync(real).isDirectory();
  const isPipe = existsSync(real) && !isDirectory && !statSync(real).isFile();
  const names = [...path.relative(root, real).split('/'), ...(path.isAbsolute(text) ? [] : text.split('/'))];
  const isProtected = names.some((name) => plain(name) === '.git');
  const last = [real, asked].map((one) => plain(path.basename(one)));
  const isSecret = !isDirectory && last.some((name) => /^\.env(?:\..*)?$/u.test(name));
  if (isPipe) assert.equal(decision, 'deny', said);
  else if (isChange && isProtected) assert.notEqual(decision, 'auto', said);
  else if (isSecret && use !== 'delete') assert.notEqual(decision, 'auto', said);
  // Names that come from a link or an absolute path are not known here, so only plain cases must run unasked.
  else if (!changesEntry && !/git|env/iu.test(text.normalize('NFKC'))) {
    if (decision !== 'auto') assert.match(reason, /under another name|secret|protected/, said);
  }
}

/** How a careless file system or program might read a name. */
function plain(name: string): string {
  return name
    .replace(/\u200b/gu, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Where the operating system puts a file that is written there; `undefined` when it refuses. */
function writtenPlace(asked: string): string | undefined {
  if (existsSync(asked)) return realpathSync.native(asked);
  try {
    closeSync(openSync(asked, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK));
  } catch {
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
