import { programName } from './programs';
import { launchers } from './tables/launchers';
import { fitsRule, rowFor, type Rule } from './rules';
import type { ShellNode } from './simple-commands';

type Words = readonly string[];

/**
 * The first rule that matches one of the commands or one that they start: `env sudo ls`, `sh -c 'sudo ls'`, `find .
 * -exec sudo …`. A doubtful reading counts as a match; a command that escapes a rule still asks, it never runs unasked.
 */
export function findDenied(commands: readonly Words[], rules: readonly Rule[]): Rule | undefined {
  const started: Words[] = [];
  const seen = new Set<string>();
  let level = commands;
  let count = 0;
  for (let depth = 0; depth < MOST_LEVELS && level.length > 0; depth++) {
    const fresh = level.filter((words) => isNew(words.join('\0'), seen));
    count += fresh.reduce((sum, words) => sum + words.length, 0);
    if (count > MOST_WORDS) return findNamed(commands.flat().join(' '), rules);
    started.push(...fresh);
    level = fresh.flatMap(startedBy);
  }
  return rules.find((rule) => started.some((words) => fitsRule(words, rule)));
}

function isNew(text: string, seen: Set<string>): boolean {
  const isNew = !seen.has(text);
  seen.add(text);
  return isNew;
}

/** The first rule whose words all occur somewhere in a text that is too long to parse. */
export function findNamed(text: string, rules: readonly Rule[]): Rule | undefined {
  const words = new Set(unquote(text).split(/[\s;&|(){}`<>]+/u));
  return rules.find((rule) => rule.length > 0 && rule.every((word) => words.has(word)));
}

/** Every command in the tree, also in subshells, functions, loops and substitutions, however it is quoted. */
export function commandsInTree(root: ShellNode, source: string): readonly Words[] {
  const found: Words[] = [];
  let isCertain = !root.hasError;
  const queue = [root];
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    queue.push(...node.children.toReversed());
    if (node.type === 'command') {
      const words = node.children.filter((child) => !NOT_WORDS.includes(child.type));
      found.push(words.map((word) => unquote(word.text)));
    } else if (node.type.endsWith('_command')) {
      found.push(splitWords(node.text));
    }
    // Words after the target of a redirect belong to the command, but not in this tree.
    if (node.type === 'file_redirect' && node.children.length > 2) isCertain = false;
  }
  return isCertain ? found : [...found, ...commandsInText(source)];
}

/** The same without a tree: everything that could begin a command. */
export function commandsInText(text: string): readonly Words[] {
  return text
    .replace(REDIRECT, ' ')
    .split(/[\n;&|(){}`]+/u)
    .map((part) => {
      const words = splitWords(part);
      const start = words.findIndex((word) => !RESERVED.includes(word) && !ASSIGNMENT.test(word));
      return start === -1 ? [] : words.slice(start);
    })
    .filter((words) => words.length > 0);
}

const MOST_LEVELS = 8;
/** The most commands that one text may start, in all its readings. With more, the words of a rule alone decide. */
const MOST_WORDS = 10_000;
const NOT_WORDS: readonly string[] = [
  'variable_assignment',
  'file_redirect',
  'herestring_redirect',
  'heredoc_redirect',
];
const RESERVED: readonly string[] = ['!', 'if', 'then', 'elif', 'else', 'while', 'until', 'do', 'time'];
const ASSIGNMENT = /^\w+\+?=/u;
const REDIRECT = /\d{0,3}(?:&>|[<>]{1,3})[&|]?[ \t]*[^\s;&|<>]+/gu;
const SHELLS: readonly string[] = 'sh bash dash zsh ksh ash fish csh tcsh pwsh powershell cmd'.split(' ');
/** The option of a shell that is followed by text to run. */
const SHELL_TEXT = /^(?:-\w*c\w*|-command|\/[ck])$/iu;
const FIND_STARTS = /^-(?:exec|ok)/u;
const FD_STARTS = /^(?:-[xX]|--exec(?:-batch)?)$/u;
const STARTS_COMMAND: Readonly<Record<string, RegExp>> = {
  find: FIND_STARTS,
  gfind: FIND_STARTS,
  fd: FD_STARTS,
  fdfind: FD_STARTS,
};

/** The commands that a command starts directly. */
function startedBy([first, ...rest]: Words): readonly Words[] {
  if (first === undefined) return [];
  const program = programName(first);

  const launcher = rowFor(launchers, program);
  if (launcher !== undefined) {
    const inner = behindOwnWords(rest, launcher.values ?? '', launcher.operands ?? 0);
    const texts = [
      ...(launcher.shellText === true ? shellTexts(rest, inner) : []),
      ...textsBehind(rest, launcher.textOption),
    ];
    return [...inner, ...texts.flatMap(commandsInText)];
  }
  if (SHELLS.includes(program)) {
    const option = rest.findIndex((word) => SHELL_TEXT.test(word));
    return option === -1 ? [] : commandsInText(rest.slice(option + 1).join(' '));
  }
  const starts = rowFor(STARTS_COMMAND, program);
  if (starts !== undefined) {
    const inner: string[][] = [];
    for (const word of rest) {
      if (starts.test(word)) inner.push([]);
      else inner.at(-1)?.push(word);
    }
    return inner;
  }
  return [];
}

/**
 * What follows the launcher's own words: options with their values, variables, operands. It is unknown whether a long
 * option (`--signal KILL`) takes the next word, so there are several readings.
 */
function behindOwnWords(words: Words, values: string, operands: number): readonly Words[] {
  const readings: Words[] = [];
  let left = operands;
  let doubtful = 0;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-\w*$/u.test(word)) {
      // `-n 5` but not `-n5`: only a letter at the end of the cluster takes the next word.
      if (word.length === 2 && values.includes(word.charAt(1))) at++;
    } else if (word.startsWith('-') || ASSIGNMENT.test(word)) {
      if (/^--[^=]+$/u.test(word)) doubtful++;
    } else if (left > 0) {
      left--;
    } else {
      readings.push(words.slice(at));
      if (doubtful === 0) return readings;
      doubtful--;
    }
  }
  return readings;
}

/** What a launcher may take as shell text: the rest as one text, and each argument that is a text. */
function shellTexts(own: Words, behind: readonly Words[]): readonly string[] {
  // `su -c 'sudo ls'`, `su -c'sudo ls'`, `su --command='sudo ls'`
  const values = own.map((word) => word.replace(/^(?:--[\w-]+=|-\w)/u, ''));
  return [
    ...behind.map((words) => words.join(' ')),
    ...values.filter((text, at) => text !== own[at] || /\s/u.test(text)),
  ];
}

/** `env -S 'sudo ls'`, `env -S'sudo ls'`, `env --split-string='sudo ls'` */
function textsBehind(own: Words, option: RegExp | undefined): readonly string[] {
  if (option === undefined) return [];
  return own.flatMap((word, at) =>
    option.test(word) ? [[word.replace(option, ''), ...own.slice(at + 1)].join(' ')] : [],
  );
}

function splitWords(text: string): Words {
  return text
    .split(/\s+/u)
    .map(unquote)
    .filter((word) => word !== '');
}

function unquote(text: string): string {
  return text.replace(/\$(?=['"])|['"]|\\\n|\\/gu, '');
}
