import type { Line } from './results';

/** What the text of a file shows without understanding it. */
export interface CodeFacts {
  /** Name of the language, such as `TypeScript`. */
  readonly language: string;
  /** Its top-level definitions, in order. */
  readonly definitions: readonly Definition[];
  /** Exported names, if the language marks them. */
  readonly exported: readonly string[];
  readonly imports: readonly string[];
  /** The first sentence of its first comment, or its first heading. */
  readonly says?: string;
}

export interface Definition {
  /** `function`, `class` and the like. */
  readonly kind: string;
  readonly name: string;
  readonly line: number;
}

interface Family {
  readonly definitions: readonly (readonly [string, RegExp])[];
  readonly imports: readonly RegExp[];
  /** Whether a definition is exported, by its line and name. */
  readonly isExported?: (line: string, name: string) => boolean;
  /** Names exported on a separate line. */
  readonly exports?: readonly RegExp[];
}

const SCRIPT: Family = {
  definitions: [
    ['function', /^(?:export )?(?:default )?(?:async )?function\s?\*?\s?([\w$]+)/],
    ['class', /^(?:export )?(?:default )?(?:abstract )?class ([\w$]+)/],
    ['interface', /^(?:export )?(?:declare )?interface ([\w$]+)/],
    ['type', /^(?:export )?type ([\w$]+)/],
    ['enum', /^(?:export )?(?:const )?enum ([\w$]+)/],
    ['function', /^(?:export )?const ([\w$]+) ?= ?(?:async )?(?:\([^)]*\)|[\w$]+) ?=>/],
    ['value', /^(?:export )?(?:const|let|var) ([\w$]+)(?! ?= ?(?:await )?require\b)/],
  ],
  imports: [/\bfrom ['"]([^'"]+)['"]/, /^import ['"]([^'"]+)['"]/, /\brequire\(['"]([^'"]+)['"]\)/],
  isExported: (line) => line.startsWith('export '),
  exports: [
    /^module\.exports ?= ?\{ ?([^}]*)\}?/,
    /^module\.exports ?= ?([\w$]+);?$/,
    /^(?:module\.)?exports\.([\w$]+) ?=/,
    /^export \{ ?([^}]*)\}/,
  ],
};

const PYTHON: Family = {
  definitions: [
    ['function', /^(?:async )?def (\w+)/],
    ['class', /^class (\w+)/],
    ['value', /^([A-Za-z]\w*)(?:: ?[\w[\], .]+)? = /],
  ],
  imports: [/^import ([\w.]+)/, /^from ([\w.]+) import/],
};

const GO: Family = {
  definitions: [
    ['function', /^func (?:\([^)]*\) )?(\w+)/],
    ['type', /^type (\w+)/],
    ['value', /^(?:var|const) (\w+)/],
  ],
  imports: [/^(?:import )?\t?(?:\w+ )?"([^"]+)"$/, /^import (?:\w+ )?"([^"]+)"/],
  isExported: (_, name) => /^[A-Z]/.test(name),
};

const RUST: Family = {
  definitions: [
    ['function', /^(?:pub(?:\([^)]*\))? )?(?:const )?(?:async )?(?:unsafe )?fn (\w+)/],
    ['struct', /^(?:pub(?:\([^)]*\))? )?struct (\w+)/],
    ['enum', /^(?:pub(?:\([^)]*\))? )?enum (\w+)/],
    ['trait', /^(?:pub(?:\([^)]*\))? )?trait (\w+)/],
    ['module', /^(?:pub(?:\([^)]*\))? )?mod (\w+)/],
    ['value', /^(?:pub(?:\([^)]*\))? )?(?:const|static) (\w+)/],
  ],
  imports: [/^(?:pub )?use ([^;]+);/],
  isExported: (line) => line.startsWith('pub'),
};

/** For languages with braces and keywords such as these. */
const OTHER: Family = {
  definitions: [
    [
      'class',
      /^\s{0,4}(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open|export) ){0,4}class (\w+)/,
    ],
    ['interface', /^\s{0,4}(?:public |internal )?interface (\w+)/],
    [
      'function',
      /^(?:(?:public|private|static|async|inline|suspend|local) ){0,3}(?:fun|func|function|def|sub) (\w+)/,
    ],
    ['module', /^(?:module|namespace|package) ([\w.:]+)/],
    ['function', /^(?:(?:static|inline|const|unsigned|extern) ){0,3}\w+[ *]+(\w+)\([^;]*\) ?\{?$/],
    ['struct', /^(?:typedef )?struct (\w+)/],
    ['target', /^([\w.-]+):(?!=)/],
  ],
  imports: [/^#include [<"]([^>"]+)[>"]/, /^(?:import|using|require|use) ['"]?([\w./:\\*-]+)['"]?;?$/],
};

const LANGUAGES: Readonly<Record<string, readonly [string, Family | undefined]>> = {
  ...family('JavaScript', SCRIPT, 'js mjs cjs jsx'),
  ...family('TypeScript', SCRIPT, 'ts mts cts tsx'),
  ...family('Python', PYTHON, 'py pyi'),
  ...family('Go', GO, 'go'),
  ...family('Rust', RUST, 'rs'),
  ...family('Java', OTHER, 'java'),
  ...family('Kotlin', OTHER, 'kt kts'),
  ...family('C#', OTHER, 'cs'),
  ...family('C', OTHER, 'c h'),
  ...family('C++', OTHER, 'cc cpp cxx hpp hh'),
  ...family('PHP', OTHER, 'php'),
  ...family('Ruby', OTHER, 'rb'),
  ...family('Swift', OTHER, 'swift'),
  ...family('Lua', OTHER, 'lua'),
  ...family('a shell script', OTHER, 'sh bash zsh'),
  ...family('a Makefile', OTHER, 'makefile mk'),
  ...family('Markdown', undefined, 'md markdown'),
  ...family('JSON', undefined, 'json jsonc'),
  ...family('YAML', undefined, 'yml yaml'),
  ...family('TOML', undefined, 'toml'),
  ...family('HTML', undefined, 'html htm'),
  ...family('CSS', undefined, 'css scss less'),
  ...family('plain text', undefined, 'txt text'),
};

function family(name: string, rules: Family | undefined, endings: string) {
  return Object.fromEntries(endings.split(' ').map((ending) => [ending, [name, rules] as const]));
}

export function factsOf(path: string, lines: readonly Line[]): CodeFacts {
  const ending = (/(?:^|\/|\.)([^./]+)$/.exec(path)?.[1] ?? '').toLowerCase();
  const [language, rules] = Object.hasOwn(LANGUAGES, ending) ? (LANGUAGES[ending] ?? []) : [];
  const definitions = rules ? lines.flatMap((line) => definitionIn(line, rules)) : [];
  const says = language === 'Markdown' ? headingIn(lines) : firstComment(lines, language);
  return {
    language: language ?? 'a file in a language that I do not know',
    definitions: unique(definitions, ({ name }) => name),
    exported: rules ? unique(exportedBy(lines, definitions, rules), (name) => name) : [],
    imports: rules
      ? unique(
          lines.flatMap(({ text }) => firstMatch(text, rules.imports)),
          (name) => name,
        )
      : [],
    ...(says !== undefined && { says }),
  };
}

function definitionIn({ number, text }: Line, { definitions }: Family): readonly Definition[] {
  for (const [kind, pattern] of definitions) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return [{ kind, name, line: number }];
  }
  return [];
}

function exportedBy(
  lines: readonly Line[],
  definitions: readonly Definition[],
  { isExported, exports = [] }: Family,
): readonly string[] {
  const marked = definitions.filter(({ line, name }) =>
    isExported?.(lines.find(({ number }) => number === line)?.text ?? '', name),
  );
  const listed = lines
    .flatMap(({ text }) => firstMatch(text, exports))
    .flatMap((names) => names.split(','))
    .map((name) => /(?:as )?([\w$]+)(?::.*)?\s*$/.exec(name.trim().replace(/:.*$/, ''))?.[1] ?? '')
    .filter(Boolean);
  return [...marked.map(({ name }) => name), ...listed];
}

function firstMatch(text: string, patterns: readonly RegExp[]): readonly string[] {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1];
    if (found !== undefined) return [found.trim()];
  }
  return [];
}

function headingIn(lines: readonly Line[]): string | undefined {
  const heading = lines.find(({ text }) => /^#{1,3} \S/.test(text));
  return heading && short(heading.text.replace(/^#+ /, ''));
}

/** The first comment, up to the end of its first sentence. */
function firstComment(lines: readonly Line[], language: string | undefined): string | undefined {
  const isHash = /Python|Ruby|shell|Makefile|YAML|TOML/.test(language ?? '');
  const start = lines.findIndex(({ text }) =>
    isHash ? /^(?:#(?!!)\s?\S|"""|''')/.test(text) : /^\s*(?:\/\*|\/\/|<!--|--\s)/.test(text),
  );
  const words: string[] = [];
  for (const { text } of start < 0 ? [] : lines.slice(start, start + 8)) {
    const bare = text.replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/+!?|#+|<!--|--|"""|''')\s?/, '');
    const isCode =
      bare === text && words.length > 0 && !/^\s/.test(text) && !isOpen(lines[start]?.text ?? '');
    if (isCode || (bare.trim() === '' && words.length > 0)) break;
    words.push(bare.replace(/\s*(?:\*\/|-->|"""|''')\s*$/, '').trim());
    if (/(?:\*\/|-->|"""|''')\s*$/.test(bare)) break;
  }
  const said = words.join(' ').trim();
  return said === '' ? undefined : short(/^.*?[.!?](?=\s|$)/.exec(said)?.[0] ?? said);
}

/** A comment that continues without a mark on each line. */
function isOpen(first: string): boolean {
  return /^\s*(?:\/\*|<!--|"""|''')/.test(first);
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

function unique<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item] as const).reverse()).values()].reverse();
}
