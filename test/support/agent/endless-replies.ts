import { nonRepeatingText } from '../non-repeating-text';

/** A long text, always the same. */
export interface LongReply {
  readonly name: string;
  readonly text: string;
}

/** Never ends. */
export interface EndlessReply {
  readonly name: string;
  /** Returns this many characters of it. */
  readonly text: (length: number) => string;
  /** Returns the end of the repetition with this number; the first is 1. */
  readonly turnEnd: (turn: number) => number;
  /** Whether it is the same text again and again, without a number. */
  readonly isExact: boolean;
}

type Turn = string | ((turn: number) => string);

const PARAGRAPH =
  'I will look at the file first, then at the test that fails, and after that I will write down what I have found. ';
const CALL = '{"name": "read_file", "arguments": {"path": "src/plum.ts"}}';

/** Repeated texts: small pieces, answers and reasoning, code and data, and numbered lines. */
const TURNS: Readonly<Record<string, Turn>> = {
  'one letter': 'a',
  'a short word': 'ha ',
  'a mark': '.',
  'an exclamation': '!!! ',
  'one digit': '0',
  bits: '01',
  'numbers alone': '1, 0, ',
  'no number': 'NaN, ',
  'a token of a template': '<|im_start|>',
  'a token for nothing': '<unk>',
  'a character that cannot be read': '\ufffd',
  'a character without width': '\u200b',
  'a line break and a dash': '\n-',
  'an escaped line break': '\\n',
  'an entity': '&nbsp;',
  'a ruler': '=',
  'a line of a box': '─',
  'a border of a table': '| --- ',
  'opening brackets': '((',
  'closing brackets': '}\n',
  'closing tags': '</div>\n',
  'a path that goes up': '../',
  'a path that goes down': 'node_modules/',
  Chinese: '好的。',
  'a Japanese sentence': 'もう一度ファイルを確認します。',
  'a Russian sentence': 'Я проверю файл ещё раз. ',
  'an Arabic sentence': 'سأتحقق من الملف مرة أخرى. ',
  'an emoji': '🙂',
  'an emoji of several': '👩‍👩‍👧',
  blanks: ' ',
  'blank lines': '\n',
  'blanks of several kinds': '\n\t \r\n',

  'a sentence': 'The file is empty, so I will read the file. ',
  'a doubt': 'Wait, let me think about that once more. Hmm, no. Actually, yes. ',
  'a line': '- check the file again\n',
  'a line with a line break of Windows': 'Check the file again.\r\n',
  'a line and an empty one': 'Let me check that once more.\n\n',
  'a quoted line': '> the same again\n',
  'a heading': '## Summary\n\nDone.\n\n',
  'a question and its answer': 'User: Is it done?\nAssistant: Not yet, I will look again.\n',
  'a paragraph': PARAGRAPH,
  'a paragraph with breaks': `${PARAGRAPH}\n\n`,
  'a paragraph under a long ruler': `${PARAGRAPH}\n${'-'.repeat(300)}\n`,
  'a paragraph that fills up its line': PARAGRAPH.padEnd(250, '.'),
  'several paragraphs': `${nonRepeatingText(700, 'First')}.\n\n${PARAGRAPH}\n\n`,
  'a page': `${nonRepeatingText(1_500, 'Page')}.\n`,
  'the longest page': `${nonRepeatingText(1_998, 'Longest')}.\n`,
  'a page whose end repeats itself': `${nonRepeatingText(900, 'End')}\n${'| a | b |\n'.repeat(11)}`,

  'an indented line': '    return undefined; // nothing\n',
  'a row of a table': '| the same | the same |\n',
  'a code block': '```ts\nconst a = 1;\nexport function f(): number {\n  return a + 1;\n}\n```\n',
  'an object of JSON': '  {\n    "name": "plum",\n    "tags": []\n  },\n',
  'a block of another form': `<tool_call>\n${CALL}\n</tool_call>\n`,
  'an answer that nobody gave': `${CALL}\n<tool_response>\nNo such file.\n</tool_response>\n`,
  'a line of a log': '2026-11-02 10:00:00 ERROR cannot connect to 127.0.0.1:8080\n',

  'a counted line': (turn) => `Step ${turn}: check it again.\n`,
  'a numbered list': (turn) => `${turn}. Check the file again\n`,
  'a line counted by tens': (turn) => `At line ${10 * turn} there is nothing\n`,
  'a counted list in one line': (turn) => `item${turn}, `,
  'a counted paragraph': (turn) => `Try ${turn}. ${PARAGRAPH}`,
  'a counted heading': (turn) => `## Attempt ${turn}\n\n${PARAGRAPH}\n\n`,
  'a counted page': (turn) => `Attempt ${turn}. ${nonRepeatingText(1_400, 'Counted')}.\n`,
  'a counted paragraph under a long ruler': (turn) =>
    `${`Try ${turn + 100}. ${PARAGRAPH}\n`.padEnd(499, '-')}\n`,
  'the longest counted page': (turn) => `Attempt ${turn}. ${nonRepeatingText(1_980, 'Longest')}.\n`,
  'a counted function': (turn) => `function step${turn}(): void {\n  run();\n}\n\n`,
  'a counted row': (turn) => `| ${turn} | the same | the same |\n`,
  'a counted object': (turn) => `{ "id": ${turn}, "name": "plum" },\n`,
};

/** Each begins with text that does not repeat itself, in different lengths. */
export const endlessReplies: readonly EndlessReply[] = Object.entries(TURNS).map(([name, turn], at) => {
  const beginning = at % 3 === 0 ? '' : `${nonRepeatingText((at * 137) % 1_000, name)}.\n\n`;
  const say = typeof turn === 'string' ? () => turn : turn;
  const upTo = (isEnough: (length: number, turns: number) => boolean): string => {
    let text = beginning;
    for (let turns = 0; !isEnough(text.length, turns); turns++) text += say(turns + 1);
    return text;
  };
  return {
    name,
    text: (length) => upTo((written) => written >= length).slice(0, length),
    turnEnd: (last) => upTo((_, turns) => turns === last).length,
    isExact: typeof turn === 'string',
  };
});

const WORDS =
  'plum river stone window letter garden winter market silver bridge carpet bottle engine forest handle island jacket ladder mirror needle orange pencil rabbit saddle tunnel valley wagon yellow anchor basket candle dragon'.split(
    ' ',
  );
const SIGNS = '春 夏 秋 冬 山 水 花 鸟 风 月'.split(' ');
const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];
const LICENCE = Array.from(
  { length: 14 },
  (_, at) => `// ${nonRepeatingText(60 + at, `Licence ${at}`)}\n`,
).join('');

/** The random source of the texts below. */
class Draw {
  constructor(private seed: number) {}

  /** Returns a whole number below this one. */
  below(limit: number): number {
    this.seed = (this.seed * 48_271) % 2_147_483_647;
    return Math.floor((this.seed / 2_147_483_647) * limit);
  }

  word(): string {
    return this.pick(WORDS);
  }

  words(count: number, between = ' '): string {
    return Array.from({ length: count }, () => this.word()).join(between);
  }

  pick<T>(list: readonly T[]): T {
    // SAFETY: the number is below the length, and no list is empty.
    return list[this.below(list.length)] as T;
  }

  code(length: number, radix = 16): string {
    return Array.from({ length }, () => this.below(radix).toString(radix)).join('');
  }
}

function rows(count: number, row: (number: number) => string): string {
  return Array.from({ length: count }, (_, at) => row(at + 1)).join('');
}

const title = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Code, tables, data and verse with legitimate repetition. */
const KINDS: Readonly<Record<string, (draw: Draw) => string>> = {
  prose: (d) => rows(80, () => `${title(d.words(9))}. ${d.words(6)}, ${d.words(5)}.\n\n`),
  'a numbered list': (d) => rows(200, (n) => `${n}. ${d.words(3)}\n`),
  'a list of tasks': (d) => rows(200, () => `- [${d.pick(['x', ' '])}] ${d.words(3)}\n`),
  'a nested list': (d) => rows(150, () => `- ${d.word()}\n  - ${d.word()}\n    - ${d.word()}\n`),
  'a poem with a refrain': (d) =>
    rows(20, (n) => `${d.words(30 + n)}\nAnd the plum tree stands,\nand the plum tree stands.\n\n`),
  'a song that counts down': () =>
    rows(90, (n) => `${100 - n} bottles on the wall, take one down, ${99 - n} bottles on the wall.\n`),
  'a song that grows': (d) => {
    const gifts = Array.from({ length: 24 }, (_, n) => `${n + 2} ${d.words(2)}s`);
    return rows(24, (n) => `On day ${n} I got\n${gifts.slice(0, n).reverse().join(',\n')}\nand a plum.\n\n`);
  },
  'a multiplication table': () => rows(40, (a) => rows(10, (b) => `${a} x ${b} = ${a * b}\n`)),
  'a table of powers': () => rows(150, (n) => `n = ${n}, n^2 = ${n * n}, n^3 = ${n ** 3}\n`),
  'a table of temperatures': () => rows(300, (n) => `${n} C is ${Math.round(n * 1.8 + 32)} F\n`),
  'a truth table': () => rows(256, (n) => `| ${n.toString(2).padStart(9, '0').split('').join(' | ')} |\n`),
  'primes one a line': () =>
    rows(1_800, (n) =>
      n > 1 && PRIMES.every((prime) => n === prime || n % prime > 0) ? `${n} is prime\n` : '',
    ),
  'a matrix': () => rows(99, (n) => `[${rows(12, (m) => `${(n * n * m + m * m) % 83}, `)}]\n`),
  'a unit matrix': () => rows(36, (n) => `${'0 '.repeat(n - 1)}1 ${'0 '.repeat(36 - n)}\n`),
  'a board': (d) => rows(150, () => `${rows(40, () => d.pick(['#', '.', '.', '.']))}\n`),
  'a table of Markdown': (d) => rows(150, () => `| ${d.word()} | ${d.pick(['yes', 'no'])} | ${d.word()} |\n`),
  'a box of lines': (d) =>
    rows(60, () => `│ ${d.word().padEnd(20)} │ ${d.word().padEnd(20)} │\n├${'─'.repeat(46)}┤\n`),
  'a ruler under each title': (d) => rows(30, () => `${d.word()}\n${'='.repeat(80)}\n${d.words(9)}\n\n`),
  'a tree of files': (d) => rows(150, () => `${'│   '.repeat(d.below(4))}├── ${d.words(2, '-')}.ts\n`),
  'a licence in front of three files': (d) =>
    rows(3, () => `${LICENCE}\nexport const ${d.words(2, '_')} = '${d.words(30)}';\n\n`),
  'CSV with a number': (d) => rows(300, (n) => `${n},${d.word()},${d.below(1_000)},2026-01-01\n`),
  'CSV of measurements': (d) => rows(300, (n) => `${n};0;0;${d.below(99)}.${d.below(99)};0;0;ok\n`),
  TSV: (d) => rows(250, () => `${d.word()}\t${d.word()}\t${d.below(9_000)}\n`),
  'lists of JSON': (d) => rows(90, (n) => `  {\n    "id": ${n},\n    "name": "${d.words(2)}"\n  },\n`),
  'JSON in one line': (d) => `[${rows(150, (n) => `{"id":${n},"tags":["${d.word()}"],"on":true},`)}]`,
  'lines of JSON': (d) =>
    rows(150, () => `{"level":30,"time":${1e9 + d.below(1e9)},"msg":"request completed"}\n`),
  'nested JSON': (d) => `${rows(90, (n) => `${' '.repeat(n)}"${d.word()}": {\n`)}${'}'.repeat(90)}`,
  GeoJSON: (d) => rows(200, () => `[${d.below(180)}.${d.code(6, 10)}, ${d.below(90)}.${d.code(6, 10)}],\n`),
  YAML: (d) =>
    rows(90, () => `- name: ${d.words(2, '-')}\n  replicas: ${d.below(4)}\n  image: ${d.word()}\n`),
  TOML: (d) => rows(90, () => `[[package]]\nname = "${d.words(2, '-')}"\nversion = "0.${d.below(30)}.0"\n\n`),
  INI: (d) => rows(90, () => `[${d.words(2, '.')}]\nenabled = true\nlevel = ${d.below(5)}\n\n`),
  'a lock file': (d) =>
    rows(50, () => {
      const name = d.words(2, '-');
      return `    "node_modules/${name}": {\n      "version": "${d.below(9)}.0.0",\n      "integrity": "sha512-${d.code(80, 36)}==",\n      "license": "MIT"\n    },\n`;
    }),
  'an environment': (d) => rows(200, () => `${d.words(3, '_').toUpperCase()}=${d.word()}\n`),
  'inserts of SQL': (d) =>
    rows(150, (n) => `INSERT INTO plums (id, name) VALUES (${n}, '${d.word()} ${d.below(99)}');\n`),
  'rows of values': (d) => `VALUES\n${rows(250, (n) => `  (${n}, '${d.words(2)}', NULL, NULL, 0),\n`)}`,
  'a schema of SQL': (d) =>
    rows(
      50,
      () => `CREATE TABLE ${d.words(2, '_')} (\n  id INTEGER PRIMARY KEY,\n  name TEXT NOT NULL\n);\n\n`,
    ),
  'HTML rows': (d) => rows(150, () => `<tr><td>${d.word()}</td><td>${d.below(90)}</td><td></td></tr>\n`),
  'HTML options': (d) => rows(200, () => `  <option value="${d.words(2, '-')}">${d.word()}</option>\n`),
  'HTML in one line': (d) => rows(200, () => `<li class="item"><a href="/${d.word()}">${d.word()}</a></li>`),
  'deep HTML': (d) => `${rows(120, () => `<div class="${d.word()}">`)}${'</div>'.repeat(120)}`,
  XML: (d) => rows(150, () => `<string name="${d.words(2, '_')}">${d.words(2)}</string>\n`),
  'paths of SVG': (d) =>
    rows(60, () => `<path d="M0 0${rows(9, () => `L${d.below(99)} ${d.below(99)}`)}Z"/>\n`),
  'one path of SVG': (d) => `<path d="M0 0${rows(900, () => `h${d.below(9)}v${d.below(9)}`)}z"/>`,
  'utilities of CSS': () => rows(150, (n) => `.m-${n} {\n  margin: ${n / 4}rem;\n}\n\n`),
  'rules of CSS': (d) =>
    rows(90, () => `.${d.words(2, '-')} {\n  display: flex;\n  gap: ${d.below(9)}px;\n}\n\n`),
  'CSS in one line': (d) =>
    rows(200, () => `.${d.words(2, '-')}{display:block;margin:0;padding:${d.below(9)}px}`),
  'variables of CSS': (d) => rows(200, () => `  --${d.words(2, '-')}: #${d.code(6)};\n`),
  'a minified script': (d) =>
    rows(250, () => `function ${d.code(2, 36)}(e,t){return e.${d.word()}(t)}var ${d.code(2, 36)}=null;`),
  'minified numbers': (d) => `var t=[${rows(1_500, () => `${d.below(256)},`)}]`,
  tests: (d) =>
    rows(60, (n) => {
      const second = d.below(99);
      return `it('adds ${n} and ${second}', () => {\n  assert.equal(add(${n}, ${second}), ${n + second});\n});\n\n`;
    }),
  'tests with one body': (d) =>
    rows(60, () => `test('${d.words(3)}', async () => {\n  await page.goto('/');\n});\n\n`),
  'imports of a script': (d) => rows(150, () => `import { ${d.word()} } from './${d.words(2, '-')}';\n`),
  'a switch': (d) => rows(120, () => `    case '${d.words(2, '-')}':\n      return true;\n`),
  'fields of a class': (d) =>
    rows(80, () => {
      const field = d.words(2, '_');
      return `    public String get_${field}() {\n        return this.${field};\n    }\n\n`;
    }),
  'an enumeration': (d) => rows(200, (n) => `  ${d.words(2, '_').toUpperCase()} = ${n},\n`),
  'empty functions': (d) => rows(120, () => `def ${d.words(3, '_')}(self):\n    pass\n\n`),
  assembly: (d) =>
    rows(200, () => `    ${d.pick(['mov', 'add', 'xor', 'nop'])} r${d.below(9)}, r${d.below(9)}\n`),
  'a patch': (d) =>
    rows(50, () => `@@ -${d.below(900)},2 +${d.below(900)},2 @@\n-${d.words(3)}\n+${d.words(3)}\n\n`),
  'a log': (d) =>
    rows(120, () => `2026-11-02 10:0${d.below(9)}:${d.below(60)} INFO ${d.word()} GET /health 200\n`),
  'output of tests': (d) => rows(200, () => `    ✔ ${d.words(3)} (${d.below(30)}ms)\n`),
  'a trace of calls': (d) =>
    rows(90, () => `    at ${d.word()} (/app/src/${d.word()}.js:${d.below(900)}:7)\n`),
  'a hex dump': (d) =>
    rows(
      150,
      (n) => `${(n * 16).toString(16).padStart(8, '0')}: ${rows(8, () => `${d.code(4)} `)} ........\n`,
    ),
  'a hex dump of zeros': () =>
    rows(150, (n) => `${(n * 16).toString(16).padStart(8, '0')}: ${'0000 '.repeat(8)} ................\n`),
  base64: (d) => rows(90, () => `${d.code(76, 36)}\n`),
  'sums of files': (d) => rows(90, () => `${d.code(64)}  dist/${d.words(2, '-')}.js\n`),
  translations: (d) => rows(150, () => `  "${d.words(2, '.')}": "${title(d.words(3))}",\n`),
  'translations of gettext': (d) => rows(80, () => `#: src/a.c\nmsgid "${d.words(3)}"\nmsgstr ""\n\n`),
  subtitles: (d) =>
    rows(80, (n) => `${n}\n00:0${n % 9}:1${n % 7},000 --> 00:0${n % 9}:20,000\n${d.words(4)}\n\n`),
  Chinese: (d) => rows(200, () => `第${d.below(900)}章：${rows(6, () => d.pick(SIGNS))}。\n`),
};

export const longReplies: readonly LongReply[] = Object.entries(KINDS).map(([name, write], at) => ({
  name,
  text: write(new Draw(1_000 + at)),
}));
