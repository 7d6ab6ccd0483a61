// What an edit costs, compared with `indexOf` and joining the text again in the same run; and whether one is ever
// made at a wrong place. The bars: exact 2 times, different white space 4 times, not found but the nearest place
// named 10 times, exponent 1.1; wrong or ambiguous places: 0.
import { applyEdit, type Edit } from '../../src/tools/edit/apply-edit';
import { nearestRegion } from '../../src/tools/edit/nearest-region';
import { compare, exponent, timeOf } from './measure';

const LARGEST = 100_000;
const SIZES = [LARGEST / 100, LARGEST / 10, LARGEST];
const RUNS = 21;
const TRIES = 2_000;

interface Kind {
  readonly name: string;
  readonly bar: number;
  readonly text: (lines: readonly string[]) => string;
  /** Makes the `old` text from the block that is to be replaced. */
  readonly old: (block: string) => string;
}

const plain = (lines: readonly string[]): string => lines.join('\n');

const KINDS: readonly Kind[] = [
  { name: 'exact', bar: 2, text: plain, old: (block) => block },
  { name: 'other line endings', bar: 4, text: (lines) => lines.join('\r\n'), old: (block) => block },
  { name: 'trailing blanks', bar: 4, text: (lines) => lines.join(' \n'), old: (block) => block },
  { name: 'indentation', bar: 4, text: plain, old: (block) => block.replace(/^ {2}/gm, '') },
  { name: 'near, place named', bar: 10, text: plain, old: (block) => block.replace('Line', 'Lime') },
  { name: 'a word in common', bar: 10, text: plain, old: () => 'return compute(nothing, like, it);' },
  { name: 'nothing like it', bar: 10, text: plain, old: () => 'zebra(quagga);\nokapi(kudu);' },
];

async function main(): Promise<void> {
  console.log(
    `${'× indexOf and splice'.padEnd(24)}${SIZES.map((size) => `${size} lines`.padStart(20)).join('')}   exponent (theirs)   bar`,
  );
  for (const kind of KINDS) {
    const times: [number, number][] = [];
    const bareTimes: [number, number][] = [];
    const ratios: string[] = [];
    for (const size of SIZES) {
      const { own, bare, ratio } = await measure(kind, size);
      times.push([size, own]);
      bareTimes.push([size, bare]);
      ratios.push(`${ratio.toFixed(2)} (${own.toFixed(3)} ms)`.padStart(20));
    }
    console.log(
      `${kind.name.padEnd(24)}${ratios.join('')}${exponent(times).toFixed(2).padStart(11)} (${exponent(bareTimes).toFixed(2)})${String(kind.bar).padStart(6)}`,
    );
  }
  tryPlaces();
}

/**
 * Each edit has a different text, like files that were just read: one small text would stay in the processor's
 * cache, so that only large texts would pay for memory access. All sizes process the same number of lines.
 */
function measure(kind: Kind, size: number) {
  const lines = codeLines(size);
  const middle = Math.floor(size / 20) * 10;
  const texts = inTurn((2 * LARGEST) / size, () => kind.text(lines));
  const exact = lines.slice(middle, middle + 5).join('\n');
  const old = kind.old(exact);
  const edit: Edit = { old, new: `${old}\nmore();`, expect: 1 };
  // An exact match in a text of the same size.
  const bareTexts = inTurn((2 * LARGEST) / size, () => plain(lines));
  const bareNew = `${exact}\nmore();`;
  return compare(RUNS, {
    own: async () =>
      timeOf(() => {
        const text = texts();
        const outcome = applyEdit(text, edit, Infinity);
        if (outcome.type === 'not-found') nearestRegion(text, old);
      }),
    bare: async () =>
      timeOf(() => {
        const bareText = bareTexts();
        const at = bareText.indexOf(exact);
        return [bareText.slice(0, at), bareNew, bareText.slice(at + exact.length)].join('');
      }),
  });
}

function inTurn(count: number, make: () => string): () => string {
  const texts = Array.from({ length: count }, make);
  let at = 0;
  return () => texts[at++ % texts.length] ?? '';
}

/** Like code: lines that differ, lines that repeat, blank lines. */
function codeLines(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    switch (index % 10) {
      case 0:
        return `  function handle${index}(first, second) {`;
      case 7:
        return '    return compute(first, second);';
      case 8:
        return '  }';
      case 9:
        return '';
      default:
        return `    const valueOfLine${index} = first.${['read', 'write', 'close'][index % 3] ?? ''}(${(index * 7919) % 1009});`;
    }
  });
}

/** Edits with a known outcome: made at one place, or refused because there are several places or only similar ones. */
function tryPlaces(): void {
  const lines = codeLines(2_000);
  // The same text occurs at both places.
  const doubled = [...lines.slice(0, 1_000), ...lines.slice(200, 400), ...lines.slice(1_000)];
  const counts = { right: 0, refused: 0, wrong: 0, missed: 0 };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const at = (attempt * 7919) % (doubled.length - 8);
    const block = doubled.slice(at, at + 1 + (attempt % 7));
    const distorted = DISTORTIONS[attempt % DISTORTIONS.length]?.(block.join('\n')) ?? '';
    if (distorted.trim() === '') continue;
    const text = doubled.join(attempt % 2 === 0 ? '\n' : '\r\n');
    const isUnique = bare(text).split(bare(distorted)).length === 2;
    const outcome = applyEdit(text, { old: distorted, new: 'DONE', expect: 1 }, Infinity);
    if (outcome.type !== 'applied') counts[isUnique && attempt % 4 !== 3 ? 'missed' : 'refused']++;
    else if (isUnique && bare(outcome.text) === bare(text).replace(bare(distorted), 'DONE')) counts.right++;
    else counts.wrong++;
  }
  console.log(
    `\n${TRIES} edits of blocks that occur once, twice or almost: ${counts.right} made, ${counts.refused} refused, ` +
      `${counts.missed} refused despite one matching place, ${counts.wrong} at a wrong or ambiguous place`,
  );
}

const DISTORTIONS: readonly ((block: string) => string)[] = [
  (block) => block,
  (block) => block.replaceAll('\n', ' \n'),
  (block) => block.replace(/^ {2}/gm, ''),
  (block) => block.replace(/[a-z](?=[A-Z(])/, 'q'),
];

function bare(text: string): string {
  return text.replace(/[ \t\r]/g, '');
}

void main();
