// Files that ship beside the bundles: files of packages, and the hard cases of the lab.
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { load } from 'js-yaml';
import { subsetCss, subsetFont, usedIcons } from './icon-font.mjs';

const QUICKJS = '@jitl/quickjs-wasmfile-release-sync';
const WASM = [
  '@vscode/tree-sitter-wasm/wasm/tree-sitter.wasm',
  '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm',
  `${QUICKJS}/dist/emscripten-module.wasm`,
];

/** Brotli quality. Packages use the highest: it takes seconds and saves another tenth of the size. */
const QUICK = 9;
export const DENSE = 11;

/** Packages whose files ship unchanged. */
export const ASSET_PACKAGES = ['@vscode/tree-sitter-wasm', QUICKJS, '@vscode/codicons', '@vscode/ripgrep'];

/** Copies files of packages into dist/. The bundles of the pages must be there already. */
export async function copyAssets() {
  await mkdir('dist/bin', { recursive: true });
  await packWasm('dist');
  await copyIcons();
  await copyRipgrep(`node_modules/@vscode/ripgrep-${process.platform}-${process.arch}`, 'dist/bin');
}

export async function packWasm(into, quality = QUICK) {
  await Promise.all(
    WASM.map(async (file) => {
      const bytes = await readFile(path.join('node_modules', file));
      await pack(path.join(into, path.basename(file)), bytes, quality);
    }),
  );
}

/** Compresses better than the zip archive of a package. */
async function pack(file, bytes, quality) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
}

/** Copies the ripgrep binary from its package. The JavaScript of @vscode/ripgrep is not used. */
export async function copyRipgrep(folder, into) {
  const [name] = await readdir(path.join(folder, 'bin'));
  await copyFile(path.join(folder, 'bin', name), path.join(into, name));
  await chmod(path.join(into, name), 0o755);
}

/** Icons named in the pages' bundles or style sheets. */
async function copyIcons() {
  const pages = (await readdir('dist/webview')).filter((name) => name.endsWith('.js'));
  const code = await Promise.all(pages.map((name) => readFile(`dist/webview/${name}`, 'utf8')));
  const codicons = 'node_modules/@vscode/codicons/dist';
  const css = await readFile(`${codicons}/codicon.css`, 'utf8');
  const sheets = (await readdir('media')).filter((name) => name.endsWith('.css'));
  const styles = await Promise.all(sheets.map((name) => readFile(`media/${name}`, 'utf8')));
  const icons = usedIcons(css, code.join('\n'), styles.join('\n'));
  await writeFile('dist/webview/codicon.css', subsetCss(css, icons));
  const font = await readFile(`${codicons}/codicon.ttf`);
  await writeFile('dist/webview/codicon.ttf', subsetFont(font, [...icons.values()]));
}

/** The protocols' test cases, shown in the lab as hard cases. */
export async function copyCases(into = 'dist', quality = QUICK) {
  const folder = 'test/fixtures/replies';
  const read = async (name) => load(await readFile(path.join(folder, name), 'utf8'));
  const files = (await readdir(folder)).filter((name) => name !== 'tools.yaml');
  const cases = files.map(async (name) => {
    const protocol = path.basename(name, '.yaml');
    const given = { protocol, tools: 'none', strictness: 'repair', recover: false };
    return (await read(name)).map((each) => ({ ...given, ...each }));
  });
  const shipped = { tools: await read('tools.yaml'), cases: (await Promise.all(cases)).flat() };
  await pack(path.join(into, 'reply-cases.json'), JSON.stringify(shipped), quality);
}
