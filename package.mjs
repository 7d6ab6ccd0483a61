// Makes the .vsix packages, in this folder:
//   npm run package                      one for this platform, and one for all platforms without ripgrep
//   npm run package -- win32-x64 …       for these platforms (`universal` is the one without ripgrep)
//   npm run package -- --all             for every platform
//   … -- --out FOLDER                    elsewhere
//   … -- --release                       only if every text is translated
// .vscodeignore lists what ships. ripgrep for other platforms is fetched from the registry and verified with the lock file.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { createVSIX } from '@vscode/vsce';
import { copyCases, copyRipgrep, DENSE, packWasm } from './build/assets.mjs';
import { denser } from './build/dense-zip.mjs';

/** VS Code's platform names → ripgrep's. The Linux binaries are linked statically and also run on Alpine. */
const RIPGREP = {
  'alpine-arm64': 'linux-arm64',
  'alpine-x64': 'linux-x64',
  'darwin-arm64': 'darwin-arm64',
  'darwin-x64': 'darwin-x64',
  'linux-arm64': 'linux-arm64',
  'linux-armhf': 'linux-arm',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win32-arm64',
  'win32-x64': 'win32-x64',
};
const UNIVERSAL = 'universal';

const { name, version } = JSON.parse(await readFile('package.json', 'utf8'));

async function main() {
  const { values, positionals } = parseArgs({
    options: {
      all: { type: 'boolean' },
      out: { type: 'string', default: '.' },
      release: { type: 'boolean' },
    },
    allowPositionals: true,
  });
  if (values.release) await demandTranslations();
  const out = path.resolve(values.out);
  const here = `${process.platform}-${process.arch === 'arm' ? 'armhf' : process.arch}`;
  const chosen = values.all ? Object.keys(RIPGREP) : [here];
  await mkdir(out, { recursive: true });
  const packed = await mkdtemp(path.join(tmpdir(), 'parley-wasm-'));
  try {
    await Promise.all([packWasm(packed, DENSE), copyCases(packed, DENSE)]);
    for (const target of positionals.length > 0 ? positionals : [UNIVERSAL, ...chosen]) {
      const file = await makePackage(target, { out, packed });
      console.log(`${(await stat(file)).size} bytes  ${file}`);
    }
  } finally {
    await rm(packed, { recursive: true, force: true });
  }
}

/** Fails if a text has no translation: a release is complete in every language. */
async function demandTranslations() {
  const options = { shell: process.platform === 'win32' };
  const missing = await promisify(execFile)(
    'npm',
    ['run', '--silent', 'l10n', '--', '--strict'],
    options,
  ).then(
    () => undefined,
    ({ stderr }) => stderr,
  );
  if (missing !== undefined) throw new Error(missing);
}

/** `packed`: the folder with the compressed files. */
async function makePackage(target, { out, packed }) {
  if (target !== UNIVERSAL && RIPGREP[target] === undefined) {
    throw new Error(`There is no platform ${target}. Take one of: ${Object.keys(RIPGREP).join(', ')}.`);
  }
  if (process.platform === 'win32' && target !== UNIVERSAL && !target.startsWith('win32-')) {
    throw new Error(`Windows cannot mark ripgrep as a program of ${target}: make this package elsewhere.`);
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-package-'));
  try {
    await stage(folder);
    await cp(packed, path.join(folder, 'dist'), { recursive: true });
    if (target !== UNIVERSAL) {
      await mkdir(path.join(folder, 'dist/bin'));
      await copyRipgrep(await ripgrepFor(RIPGREP[target]), path.join(folder, 'dist/bin'));
    }
    const suffix = target === UNIVERSAL ? '' : `-${target}`;
    const file = path.join(out, `${name}-${version}${suffix}.vsix`);
    await createVSIX({
      cwd: folder,
      packagePath: file,
      ...(target !== UNIVERSAL && { target }),
      dependencies: false,
      // There is no public repository yet for links to point to.
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
      gitHubIssueLinking: false,
      gitLabIssueLinking: false,
    });
    await writeFile(file, await denser(await readFile(file)));
    return file;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Copies the files that may ship, except for ripgrep, and removes what only developers need. */
async function stage(folder) {
  for (const name of ['dist', 'docs', 'l10n', 'media', ...(await filesHere())]) {
    // Windows passes absolute paths to the filter.
    const filter = (file) => !file.endsWith(path.join('dist', 'bin'));
    await cp(name, path.join(folder, name), { recursive: true, filter });
  }
  await edit(path.join(folder, 'README.md'), withoutPictures);
  for (const file of await readdir(path.join(folder, 'docs'), { recursive: true }))
    if (file.endsWith('.md')) await edit(path.join(folder, 'docs', file), withinDocs(file));
  for (const file of ['l10n/bundle.l10n.zh-cn.json', 'package.nls.zh-cn.json'])
    await edit(path.join(folder, file), withoutGaps);
  await edit(path.join(folder, 'package.json'), (text) => {
    const { private: _, scripts, devDependencies, ...shipped } = JSON.parse(text);
    return JSON.stringify(shipped);
  });
}

async function filesHere() {
  const entries = await readdir('.', { withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.vsix')).map(({ name }) => name);
}

/** Removes pictures and relative links, which VS Code cannot show for a package. */
function withoutPictures(text) {
  return text
    .replace(/<!--[^]*?-->\n*/g, '')
    .replace(/^\|?(?: *!\[[^\]]*\]\(media\/[^)]*\) *\|?)+\n+/gm, '')
    .replace(/^\| \| \|\n\| --- \| --- \|\n/gm, '')
    .replace(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, '`$1`');
}

/** For a page below `docs`: removes pictures, and links that lead out of that folder, because only it is in the package. */
function withinDocs(file) {
  const up = '\\.\\./'.repeat(file.split(/[\\/]/).length);
  return (text) =>
    text
      .replace(/^!\[[^\]]*\]\([^)]*\)\n+/gm, '')
      .replace(new RegExp(`\\[([^\\]]+)\\]\\(${up}[^)]*\\)`, 'g'), '$1');
}

/** Removes empty translations: VS Code would show nothing, instead of the English text. */
function withoutGaps(text) {
  const texts = Object.entries(JSON.parse(text)).filter(([, translation]) => translation !== '');
  return JSON.stringify(Object.fromEntries(texts));
}

async function edit(file, change) {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

/** Folder of the package with the ripgrep of a platform. */
async function ripgrepFor(platform) {
  if (platform === `${process.platform}-${process.arch}`) return `node_modules/@vscode/ripgrep-${platform}`;
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const wanted = lock.packages[`node_modules/@vscode/ripgrep-${platform}`];
  const folder = path.resolve('.vscode-test', `ripgrep-${platform}-${wanted.version}`);
  await mkdir(folder, { recursive: true });
  const run = (program, ...args) =>
    promisify(execFile)(program, args, { cwd: folder, shell: process.platform === 'win32' });
  const { stdout } = await run('npm', 'pack', '--silent', `@vscode/ripgrep-${platform}@${wanted.version}`);
  const archive = stdout.trim();
  const hash = createHash('sha512').update(await readFile(path.join(folder, archive)));
  if (`sha512-${hash.digest('base64')}` !== wanted.integrity) {
    throw new Error(`${archive} does not match the lock file.`);
  }
  await run('tar', '-xzf', archive);
  return path.join(folder, 'package');
}

await main();
