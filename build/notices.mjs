// THIRD-PARTY-NOTICES.txt: the licences of everything that ships.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Licence texts for packages that name a licence without including it. */
const WITHOUT_TEXT = {
  '@cfworker/json-schema': mit('Jeremy Danyow'),
  'node-html-markdown': mit('Ron S.'),
};

/** Software included in a package under another name. */
const INSIDE = [
  {
    name: 'tree-sitter',
    within: '@vscode/tree-sitter-wasm',
    license: 'MIT',
    text: mit('2018-2023 Max Brunsfeld'),
  },
  {
    name: 'tree-sitter-bash',
    within: '@vscode/tree-sitter-wasm',
    license: 'MIT',
    text: mit('2017 Max Brunsfeld'),
  },
  {
    name: '@modelcontextprotocol/core-internal',
    within: '@modelcontextprotocol/client',
    license: 'Apache-2.0',
    text: 'A part of @modelcontextprotocol/client, under the same terms.',
  },
  {
    name: 'content-type',
    within: '@modelcontextprotocol/client',
    license: 'MIT',
    text: mit('2015 Douglas Christopher Wilson'),
  },
  { name: 'ripgrep', within: '@vscode/ripgrep', license: 'MIT', text: mit('2015 Andrew Gallant') },
];

/** Folders of the packages that esbuild has bundled. */
export function bundledPackages(metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((output) => Object.entries(output.inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([file]) => file);
  return new Set(inputs.flatMap((file) => folderOfPackage(file) ?? []));
}

/** The notices for packages, given by folder. Equal licences are adjacent, so that the file compresses well. */
export async function notices(folders) {
  const packages = await Promise.all([...folders].map(readPackage));
  const inside = INSIDE.filter(({ within }) => packages.some(({ name }) => name === within));
  const order = ({ license, name }) => `${license} ${name}`;
  const sorted = [...packages, ...inside].sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const texts = new Set(sorted.map(({ text }) => plain(text)));
  const sections = [...texts].map((text) =>
    section(
      sorted.filter((one) => plain(one.text) === text),
      text,
    ),
  );
  return `Parley contains third-party software under the following terms.\n${sections.join('')}`;
}

/** The package folder of a file, such as `node_modules/a/node_modules/@b/c`. */
function folderOfPackage(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0];
}

async function readPackage(folder) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  const text = texts.length > 0 ? texts.join('\n\n') : WITHOUT_TEXT[name];
  if (text === undefined) throw new Error(`${name} has no licence text: add it to build/notices.mjs.`);
  return { name, version, license, text };
}

/** The entry for all packages with the same licence text. */
function section(packages, text) {
  // A package may be installed twice in the same version.
  const titles = new Set(packages.map(title));
  return `\n${'='.repeat(80)}\n${[...titles].join('\n')}\n${'-'.repeat(80)}\n\n${text}\n`;
}

function title({ name, version, within, license }) {
  const of = version === undefined ? `${name} (in ${within})` : `${name} ${version}`;
  return `${of}\nLicence: ${license}`;
}

function plain(text) {
  return text
    .replace(/^\uFEFF/, '')
    .replaceAll('\r\n', '\n')
    .trim();
}

function mit(holder) {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
}
