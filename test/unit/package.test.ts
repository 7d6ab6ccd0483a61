import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { distFile } from '../support/dist';
import { long } from '../support/platform';
import { zipEntries, type ZipEntry } from '../support/zip';

/** All shipped files. `*` matches the names that the build gives to shared parts. */
const SHIPPED = [
  '[Content_Types].xml',
  'extension.vsixmanifest',
  ...[
    'LICENSE.txt',
    'SECURITY.md',
    'changelog.md',
    'package.json',
    'package.nls.json',
    'package.nls.zh-cn.json',
    'readme.md',
    'l10n/bundle.l10n.zh-cn.json',
    ...['chat.css', 'icon.png', 'lab.css', 'mcp.schema.json', 'parley.svg', 'shared.css'].map(
      (name) => `media/${name}`,
    ),
    ...docsFiles().map((name) => `docs/${name}`),
    ...['approvals', 'calls', 'gateway', 'message', 'model', 'protocol', 'sandbox', 'tools'].flatMap(
      (name) => [`media/walkthrough/${name}.svg`, `media/walkthrough/zh-cn/${name}.svg`],
    ),
    ...[
      'THIRD-PARTY-NOTICES.txt',
      'attachments.js',
      'cli.js',
      'emscripten-module.wasm.br',
      'extension.js',
      'html-worker.js',
      'isolate-worker.js',
      'lab.js',
      'mcp.js',
      'models.js',
      'openai.js',
      'parse-worker.js',
      'protocols.js',
      'run.js',
      'reply-cases.json.br',
      'sessions.js',
      'shared-*.js',
      'shell.js',
      'site-forwarder.js',
      'tools.js',
      'tree-sitter-bash.wasm.br',
      'tree-sitter.wasm.br',
      'webview/chat.js',
      'webview/codicon.css',
      'webview/codicon.ttf',
      'webview/lab.js',
      'webview/shared-*.js',
    ].map((name) => `dist/${name}`),
  ].map((name) => `extension/${name}`),
];

/** The documentation as it is in the repository. */
function docsFiles(): readonly string[] {
  const entries = readdirSync('docs', { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) =>
    entry.isFile()
      ? [path.relative('docs', path.join(entry.parentPath, entry.name)).replaceAll('\\', '/')]
      : [],
  );
}

/** Bytes, as performance.md sets them. */
const MOST = { main: 200_000, universal: 2_000_000, withRipgrep: 4_500_000 };

const RIPGREP = process.platform === 'win32' ? 'rg.exe' : 'rg';

long.describe('package', () => {
  let folder: string;
  let universal: Buffer;
  let ours: Buffer;
  let printed: string;
  before(function () {
    this.timeout(300_000);
    folder = mkdtempSync(path.join(tmpdir(), 'parley-vsix-'));
    // Otherwise package.mjs reports only that there is no folder.
    distFile('extension.js');
    const run = spawnSync(process.execPath, ['package.mjs', '--out', folder], { encoding: 'utf8' });
    printed = run.stdout + run.stderr;
    assert.equal(run.status, 0, printed);
    const files = readdirSync(folder).sort((a, b) => a.length - b.length);
    assert.equal(files.length, 2, files.join(', '));
    const [first, second] = files.map((file) => readFileSync(path.join(folder, file)));
    assert.ok(first && second);
    universal = first;
    ours = second;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('contains what runs and nothing else', () => {
    assert.deepEqual(names(universal), [...SHIPPED].sort());
  });

  it('brings the ripgrep of its platform, ready to run', () => {
    const ripgrep = `extension/dist/bin/${RIPGREP}`;
    assert.deepEqual(names(ours), [...SHIPPED, ripgrep].sort());
    // Windows recognizes a program by its name.
    if (process.platform !== 'win32') assert.equal(entry(ours, ripgrep).mode & 0o111, 0o111);
    const [, target] = /TargetPlatform="([\w-]+)"/.exec(text(ours, 'extension.vsixmanifest')) ?? [];
    const arch = process.arch === 'arm' ? 'armhf' : process.arch;
    assert.equal(target, `${process.platform}-${arch}`);
  });

  it('is made without a warning', () => {
    assert.match(printed, /Packaged:/);
    assert.doesNotMatch(printed, /warn/i);
  });

  it('stays within the size limits', () => {
    assert.ok(entry(universal, 'extension/dist/extension.js').read().length <= MOST.main);
    assert.ok(universal.length <= MOST.universal, `${universal.length} bytes`);
    assert.ok(ours.length <= MOST.withRipgrep, `${ours.length} bytes`);
  });

  it('describes itself to users', () => {
    const shipped = JSON.parse(text(universal, 'extension/package.json')) as Record<string, unknown>;
    const source = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown>;
    const left = Object.keys(source).filter((key) => !(key in shipped));
    assert.deepEqual(left.sort(), ['devDependencies', 'private', 'scripts']);
    assert.deepEqual(shipped, Object.fromEntries(Object.entries(source).filter(([key]) => key in shipped)));
  });

  it('says in its changelog when this version was made', () => {
    const { version } = JSON.parse(text(universal, 'extension/package.json')) as { version: string };
    const [unreleased, release] = text(universal, 'extension/changelog.md').match(/^## .*$/gm) ?? [];
    assert.equal(unreleased, '## Unreleased');
    assert.match(release ?? '', new RegExp(`^## ${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`));
  });

  it('has a README without pictures and links that VS Code could not show', () => {
    const readme = text(universal, 'extension/readme.md');
    assert.doesNotMatch(readme, /!\[|<!--|\]\((?!https?:|#)/);
    assert.match(readme, /^# Parley\n\nA coding agent/);
    assert.match(readme, /\*\*Parley: Open Documentation\*\*/);
  });

  it('has pages whose links lead to files of the package', () => {
    const shipped = names(universal).map((name) => name.replace(/^extension\//, ''));
    for (const page of docsFiles().filter((name) => name.endsWith('.md'))) {
      const shown = text(universal, `extension/docs/${page}`).replace(/^```[^]*?^```$|`[^`\n]*`/gm, '');
      for (const [link, to = ''] of shown.matchAll(/\]\((?!https?:|#)([^)#]*)[^)]*\)/g))
        assert.ok(
          shipped.includes(path.posix.join('docs', path.posix.dirname(page), to)),
          `${page}: ${link}`,
        );
    }
  });

  it('has the icons that the pages show, and few others', () => {
    const css = text(universal, 'extension/dist/webview/codicon.css');
    const shipped = new Set([...css.matchAll(/^\.codicon-([\w-]+):before/gm)].map(([, name]) => name));
    const shown = sources('src/webview').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/<Icon name="([\w-]+)"/g)].map(([, name]) => name),
    );
    assert.ok(shown.length > 20);
    assert.deepEqual(
      shown.filter((name) => !shipped.has(name)),
      [],
    );
    assert.ok(shipped.size < 200, String(shipped.size));
  });

  it('names every package it contains', () => {
    const told = text(universal, 'extension/dist/THIRD-PARTY-NOTICES.txt');
    const bundled = bundledPackages();
    // Copied files are in no source map.
    const copied = [
      '@vscode/codicons',
      '@vscode/tree-sitter-wasm',
      'tree-sitter',
      'tree-sitter-bash',
      'ripgrep',
    ];
    assert.ok(bundled.has('openai') && bundled.has('@codemirror/view') && bundled.has('zod'));
    const missing = [...bundled, ...copied].filter((name) => !isTold(told, name));
    assert.deepEqual(missing, []);
    assert.match(told, /Attribution 4\.0 International/);
    assert.match(told, /Copyright \(c\) 2017-2021 Fabrice Bellard/);
  });
});

function names(archive: Buffer): readonly string[] {
  const found = zipEntries(archive).map(({ name }) => name.replace(/shared-[A-Z0-9]{8}/, 'shared-*'));
  return [...new Set(found)].sort();
}

function entry(archive: Buffer, name: string): ZipEntry {
  const found = zipEntries(archive).find((each) => each.name === name);
  assert.ok(found, name);
  return found;
}

function sources(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.tsx')).map((file) => path.join(folder, file));
}

function text(archive: Buffer, name: string): string {
  return entry(archive, name).read().toString('utf8');
}

/** By the source maps, which know nothing of how the notices are made. */
function bundledPackages(): ReadonlySet<string> {
  const maps = ['dist', 'dist/webview'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.map'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8')),
  );
  const sources = maps.flatMap((map) => (JSON.parse(map) as { sources: readonly string[] }).sources);
  return new Set(
    sources.flatMap((source) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.slice(1) ?? []),
  );
}

/** Its section begins with its name, its version or where it is, and its licence. */
function isTold(told: string, name: string): boolean {
  return told
    .split('\n')
    .some((line, at, lines) => line.startsWith(`${name} `) && lines[at + 1]?.startsWith('Licence: '));
}
