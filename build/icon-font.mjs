// Reduces the icon font to the icons that the pages show, a tenth of its size.

/**
 * Icons whose names occur as literals in code, or whose characters occur in style sheets. A literal that is an icon's name
 * by chance only adds an icon.
 */
export function usedIcons(css, code, styles = '') {
  const literals = new Set([...code.matchAll(/["'`]([a-z][a-z0-9-]*)["'`]/g)].map(([, text]) => text));
  const drawn = new Set([...styles.matchAll(/'\\([0-9a-f]+)'/g)].map(([, hex]) => parseInt(hex, 16)));
  return new Map([...codes(css)].filter(([name, code]) => literals.has(name) || drawn.has(code)));
}

/** Removes the rules of unused icons from the style sheet. */
export function subsetCss(css, icons) {
  return css.replace(RULE, (rule, name) => (icons.has(name) ? rule : ''));
}

/** Keeps the outlines of these characters; all other characters become empty. */
export function subsetFont(font, characters) {
  const tables = readTables(font);
  const kept = new Set([0, ...characters.map((character) => glyphOf(tables.get('cmap'), character))]);
  const { glyf, loca } = subsetOutlines(tables, kept);
  const head = Buffer.from(tables.get('head'));
  head.writeInt16BE(1, LONG_OFFSETS);
  // Version 3 of `post` has no glyph names.
  const post = Buffer.from(tables.get('post').subarray(0, 32));
  post.writeUInt32BE(0x30000);
  tables.delete('GSUB');
  return writeTables(new Map([...tables, ['glyf', glyf], ['loca', loca], ['head', head], ['post', post]]));
}

const RULE = /^\.codicon-([\w-]+):before \{ content: "\\([0-9a-f]+)" \}\n/gm;
const LONG_OFFSETS = 50;
const CHECKSUM_OF_ALL = 8;

function codes(css) {
  return new Map([...css.matchAll(RULE)].map(([, name, hex]) => [name, parseInt(hex, 16)]));
}

function readTables(font) {
  const count = font.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = 12 + index * 16;
      const start = font.readUInt32BE(at + 8);
      const length = font.readUInt32BE(at + 12);
      return [font.toString('latin1', at, at + 4), font.subarray(start, start + length)];
    }),
  );
}

/** Reads the `cmap` subtable of format 12, which lists ranges of characters. */
function glyphOf(cmap, character) {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(4 + index * 8 + 4));
    if (table.readUInt16BE(0) !== 12) continue;
    for (let group = 0; group < table.readUInt32BE(12); group++) {
      const at = 16 + group * 12;
      const first = table.readUInt32BE(at);
      const isInside = first <= character && character <= table.readUInt32BE(at + 4);
      if (isInside) return table.readUInt32BE(at + 8) + character - first;
    }
  }
  throw new Error(`The icon font has no character ${character.toString(16)}.`);
}

function subsetOutlines(tables, kept) {
  const isLong = tables.get('head').readInt16BE(LONG_OFFSETS) === 1;
  const offsets = tables.get('loca');
  const offset = (glyph) => (isLong ? offsets.readUInt32BE(glyph * 4) : offsets.readUInt16BE(glyph * 2) * 2);
  const count = tables.get('maxp').readUInt16BE(4);
  const loca = Buffer.alloc((count + 1) * 4);
  const outlines = [];
  let end = 0;
  for (let glyph = 0; glyph < count; glyph++) {
    loca.writeUInt32BE(end, glyph * 4);
    const outline = tables.get('glyf').subarray(offset(glyph), offset(glyph + 1));
    if (!kept.has(glyph) || outline.length === 0) continue;
    if (outline.readInt16BE(0) < 0) throw new Error('Composite glyphs are not supported.');
    outlines.push(outline);
    end += outline.length;
  }
  loca.writeUInt32BE(end, count * 4);
  return { glyf: Buffer.concat(outlines), loca };
}

function writeTables(tables) {
  const sorted = [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
  const directory = Buffer.alloc(12 + sorted.length * 16);
  const power = Math.floor(Math.log2(sorted.length));
  directory.writeUInt32BE(0x10000);
  directory.writeUInt16BE(sorted.length, 4);
  directory.writeUInt16BE(2 ** power * 16, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE((sorted.length - 2 ** power) * 16, 10);
  const parts = [directory];
  let start = directory.length;
  for (const [index, [tag, table]] of sorted.entries()) {
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    if (tag === 'head') padded.writeUInt32BE(0, CHECKSUM_OF_ALL);
    const at = 12 + index * 16;
    directory.write(tag, at, 'latin1');
    directory.writeUInt32BE(checksum(padded), at + 4);
    directory.writeUInt32BE(start, at + 8);
    directory.writeUInt32BE(table.length, at + 12);
    parts.push(padded);
    start += padded.length;
  }
  const font = Buffer.concat(parts);
  const head = readTables(font).get('head');
  head.writeUInt32BE((0xb1b0afba - checksum(font)) >>> 0, CHECKSUM_OF_ALL);
  return font;
}

function checksum(bytes) {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
