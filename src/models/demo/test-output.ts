/** One failed test, or the error that kept the tests from running. */
export interface Failure {
  /** Empty if the output has none. */
  readonly title: string;
  /** Positions in project files, the most useful first. */
  readonly places: readonly Spot[];
  readonly values?: Values;
  /** An unknown name, and the suggestion of the output if any. */
  readonly missing?: { readonly name: string; readonly meant?: string };
  /** The line with the error. */
  readonly message: string;
}

export interface Spot {
  /** As in the output: absolute, or relative to some folder. */
  readonly path: string;
  readonly line: number;
}

/** Without quotes. */
export interface Values {
  readonly expected: string;
  readonly actual: string;
}

/** Beginning of the report of one failed test, for each test runner. The title is the first group. */
const BEGINNINGS: readonly RegExp[] = [
  /^\s*not ok \d+ - (.*)$/, // TAP, of `node --test` up to 22
  /^\s*✖ (?!failing tests:$)(.*?)(?: \([\d.]+ms\))?$/, // `node --test`
  /^ {2}\d+\) (\S.*)$/, // mocha
  /^\s*● (.*)$/, // jest
  /^\s*(?:❯|×)? ?FAIL {1,2}(\S.* > .*)$/, // vitest
  /^_{3,} (\S.*?) _{3,}$/, // pytest
  /^\s*--- FAIL: (\S+)/, // go test
  /^---- (\S+) stdout ----$/, // cargo test
  /^(?:FAIL|ERROR): (\S.*)$/, // unittest
];

/** Later lines of a report are rarely about anything else. */
const MOST_LINES = 4_000;

/** Parses the failures from the output of a test run. */
export function readFailures(output: string): readonly Failure[] {
  const lines = output
    .split('\n')
    .slice(0, MOST_LINES)
    .map((line) => line.replace(/\r$/, '').slice(0, 500));
  const blocks: { title: string; lines: string[] }[] = [{ title: '', lines: [] }];
  for (const line of lines) {
    const title = titleIn(line);
    if (title === undefined) blocks.at(-1)?.lines.push(line);
    else blocks.push({ title, lines: [] });
  }
  const [before, ...reports] = blocks.map((block) => failureIn(block.title, block.lines));
  const useful = reports.filter(({ values, missing, places }) => values ?? missing ?? places[0]);
  if (useful.length === 0)
    return before && (before.missing ?? before.values ?? before.places[0]) ? [before] : [];
  // A compile error comes before all of its tests.
  return unique(before?.missing ? [before, ...useful] : useful);
}

function titleIn(line: string): string | undefined {
  for (const pattern of BEGINNINGS) {
    const title = pattern.exec(line)?.[1];
    if (title !== undefined) return title.trim();
  }
  return undefined;
}

function failureIn(title: string, lines: readonly string[]): Failure {
  const values = valuesIn(lines);
  const missing = missingIn(lines);
  const message = lines.find((line) => SPEAKS.test(line))?.trim() ?? '';
  return {
    title,
    places: placesIn(lines),
    ...(values && { values }),
    ...(missing && { missing }),
    message: message.replace(/^E\s+/, ''),
  };
}

const SPEAKS = /\b\w*(?:Error|Exception)\b.*:|^error|panicked|undefined:|assert|expected|want/i;

/** The same failure may be in a list of all and in a summary. */
function unique(failures: readonly Failure[]): readonly Failure[] {
  const known = new Map<string, Failure>();
  for (const failure of failures) {
    const key = failure.title === '' ? failure.message : failure.title.replace(/^.* > /, '');
    const before = known.get(key);
    if (!before || (!before.values && failure.values)) known.set(key, failure);
  }
  return [...known.values()];
}

const PLACES: readonly RegExp[] = [
  /File "([^"]+)", line (\d+)/,
  /((?:(?<!\w)[A-Za-z]:)?[\w@./\\+-]*\w\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|c|cc|cpp|swift|lua)):(\d+)/,
];

function placesIn(lines: readonly string[]): readonly Spot[] {
  const spots: Spot[] = [];
  const declared: Spot[] = [];
  for (const line of lines) {
    if (/node:internal|node_modules|site-packages|\/rustc\/|\(node:/.test(line)) continue;
    for (const pattern of PLACES) {
      const [, path, number] = pattern.exec(line) ?? [];
      if (path === undefined) continue;
      // The position of a test's declaration is less useful than that of its failure.
      (/^\s*(?:location:|test at )/.test(line) ? declared : spots).push({
        path: path.replace(/^file:\/\//, ''),
        line: Number(number),
      });
      break;
    }
  }
  return [...spots, ...declared];
}

/** Expected and actual value on separate lines. */
const APART: readonly (readonly [expected: RegExp, actual: RegExp])[] = [
  [/^\s*expected: (.+?),?(?: actual:.*)?$/, /^\s*actual: (.+?)(?:, expected:.*|,)?$/],
  [/^\s*Expected(?: value)?: +(.+)$/, /^\s*Received(?: value)?: +(.+)$/],
  [/^\s*right: (.+)$/, /^\s*left: (.+)$/],
  [/^\s*(?:want|expected)(?:ed)?:? +(.+)$/i, /^\s*(?:got|actual):? +(.+)$/i],
];

/** Both on one line. */
const TOGETHER: readonly (readonly [RegExp, 'actual first' | 'expected first'])[] = [
  [/actual: (.+?), expected: (.+?),?(?: operator:.*)?$/, 'actual first'],
  [/(?:got|=) (\S.*?)[;,.]? \(?(?:but )?(?:want|wanted|expected) (\S.*?)\)?$/, 'actual first'],
  [/(?:want|wanted|expected) (\S.*?)[;,.]? \(?(?:but )?(?:got|was|actual) (\S.*?)\)?$/, 'expected first'],
  [/AssertionError(?: \[\w+\])?: (\S.*) != (\S.*)$/, 'actual first'],
  [/^E\s+(?:AssertionError: )?assert (\S.*) == (\S.*)$/, 'actual first'],
  [
    /expected (\S.*) to (?:strictly |deeply )?(?:equal|be|eql)(?: to)? (\S[^/]*?)(?: \/\/.*)?$/,
    'actual first',
  ],
  [/^\s*(?:AssertionError.*: )?(-?[\d.]+|true|false) (?:!==|!=) (-?[\d.]+|true|false)$/, 'actual first'],
];

function valuesIn(lines: readonly string[]): Values | undefined {
  for (const [expecting, acting] of APART) {
    const expected = firstIn(lines, expecting);
    const actual = firstIn(lines, acting);
    if (expected !== undefined && actual !== undefined)
      return { expected: unquoted(expected), actual: unquoted(actual) };
  }
  for (const line of lines) {
    for (const [pattern, order] of TOGETHER) {
      const [, first, second] = pattern.exec(line) ?? [];
      if (first === undefined || second === undefined) continue;
      const pair = [unquoted(first), unquoted(second)] as const;
      const [actual, expected] = order === 'actual first' ? pair : [pair[1], pair[0]];
      return { expected, actual };
    }
  }
  return difference(lines);
}

/** One line out and one line in, as mocha and Node show texts. */
function difference(lines: readonly string[]): Values | undefined {
  const isExpectedFirst = lines.some((line) => /\+ expected - actual/.test(line));
  const added = firstIn(lines, /^\s*\+\s?(?!expected|actual)(\S.*)$/);
  const taken = firstIn(lines, /^\s*-\s?(?!expected|actual)([^-\s].*)$/);
  if (added === undefined || taken === undefined) return undefined;
  const [expected, actual] = isExpectedFirst ? [added, taken] : [taken, added];
  return { expected: unquoted(expected), actual: unquoted(actual) };
}

function firstIn(lines: readonly string[], pattern: RegExp): string | undefined {
  for (const line of lines) {
    const found = pattern.exec(line)?.[1];
    if (found !== undefined) return found;
  }
  return undefined;
}

function unquoted(text: string): string {
  const [, , inside] = /^(['"`])(.*)\1$/.exec(text.trim()) ?? [];
  return inside ?? text.trim();
}

const MISSING: readonly RegExp[] = [
  /ReferenceError: ([\w$]+) is not defined/,
  /TypeError: (?:[\w$]+\.)*([\w$]+) is not a function/,
  /NameError: name '(\w+)' is not defined/,
  /AttributeError: .* has no attribute '(\w+)'/,
  /ImportError: cannot import name '(\w+)'/,
  /undefined: (?:\w+\.)?(\w+)/,
  /\.(\w+) undefined \(type /,
  /cannot find \w+(?: \w+)? `(\w+)`/,
  /no method named `(\w+)` found/,
  /Cannot find name '([\w$]+)'/,
  /Property '([\w$]+)' does not exist on type/,
];

const MEANT =
  /[Dd]id you mean:? ['"`]?([\w$]+)['"`]?|similar name exists: `(\w+)`|method `(\w+)` with a similar name/;

function missingIn(lines: readonly string[]): Failure['missing'] {
  for (const [at, line] of lines.entries()) {
    const name = MISSING.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
    if (name === undefined) continue;
    const near = lines.slice(at, at + 12).join('\n');
    const meant: readonly (string | undefined)[] = MEANT.exec(near)?.slice(1) ?? [];
    const found = meant.find((each) => each !== undefined);
    return { name, ...(found !== undefined && { meant: found }) };
  }
  return undefined;
}
