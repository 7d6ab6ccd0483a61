import { factsOf, type CodeFacts, type Definition } from './code-facts';
import { isProse, readHits, readText, type Hit, type Line } from './results';
import { amount, code, list, sorry, type Task } from './task';

/** Describes a file by its text, and which files use it. */
export function* explainFile(path: string): Task {
  const { read, result } = yield* readText(path, `I read ${path}.`);
  if (!read) return sorry(result);
  if (read.lines.length === 0)
    return { text: `${code(path)} has no text that I can read: ${result.result.slice(0, 200)}` };
  const facts = factsOf(path, read.lines);
  const stem = stemOf(path);
  const found = yield {
    say: `Now I look for who uses ${path}.`,
    tool: 'search_text',
    arguments: { query: stem, max: 100 },
  };
  const shown = read.lines.length < read.total ? ` I have read the first ${read.lines.length}.` : '';
  const about = [`${code(path)} is ${facts.language}, ${amount(read.total, 'line')}.${shown}`];
  if (facts.says !== undefined) about.push(saidBy(facts, facts.says));
  const parts = [about.join(' '), contents(facts, read.lines), users(path, stem, readHits(found))];
  return { text: `${parts.filter(Boolean).join('\n\n')}\n\n${SCRIPT}` };
}

const SCRIPT = 'I am a script: this is what the text shows. A real model would also say what it means.';

function saidBy({ language }: CodeFacts, says: string): string {
  return language === 'Markdown'
    ? `Its first heading is ${code(says)}.`
    : `Its first comment says: ${code(says)}`;
}

function contents({ definitions, exported, imports, language }: CodeFacts, lines: readonly Line[]): string {
  const sentences: string[] = [];
  if (definitions.length > 0) sentences.push(`It defines ${list(definitions.map(named))}.`);
  if (exported.length > 0) sentences.push(`It exports ${list(exported.map(code))}.`);
  if (imports.length > 0) sentences.push(`It imports ${list(imports.map(code))}.`);
  else if (definitions.length > 0) sentences.push('It imports nothing.');
  if (sentences.length > 0) return sentences.join(' ');
  return language === 'JSON' ? keysOf(lines) : beginning(lines);
}

function named({ kind, name, line }: Definition): string {
  return `the ${kind} ${code(name)} (line ${line})`;
}

/** Top-level names of a JSON file: the least indented ones. */
function keysOf(lines: readonly Line[]): string {
  const found = lines.flatMap(({ text }) => {
    const [, indent, key] = /^(\s+)"([^"]+)":/.exec(text) ?? [];
    return indent === undefined || key === undefined ? [] : [{ depth: indent.length, key }];
  });
  const least = Math.min(...found.map(({ depth }) => depth));
  const keys = found.filter(({ depth }) => depth === least).map(({ key }) => code(key));
  return keys.length === 0 ? '' : `At its top it has ${list(keys)}.`;
}

function beginning(lines: readonly Line[]): string {
  const first = lines.filter(({ text }) => text.trim() !== '').slice(0, 2);
  return first.length === 0 ? '' : `It begins: ${list(first.map(({ text }) => code(text.slice(0, 120))))}.`;
}

function users(path: string, stem: string, hits: readonly Hit[]): string {
  const using = hits.filter(
    ({ path: other, text }) => other !== path && IMPORTS.test(text) && namesFile(text, stem),
  );
  if (using.length === 0) return isProse(path) ? '' : 'I found no other file that imports it by its name.';
  const places = using.map(({ path: other, number }) => `${code(other)} (line ${number})`);
  return `It is used by ${list(places)}.`;
}

const IMPORTS = /\b(?:import|from|require|include|use|mod|using|source|load)\b|<script\b/;

/** Whether an import names it, and not a file with a longer name. */
function namesFile(text: string, stem: string): boolean {
  return new RegExp(`(?<![\\w-])${stem.replace(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(text);
}

/** Its name without folders and extension; a package is named by its folder. */
function stemOf(path: string): string {
  const [name = path, folder] = path.split(/[\\/]/).reverse();
  const stem = name.replace(/(?<=.)\.[^.]+$/, '');
  return /^(?:index|__init__|mod|lib)$/.test(stem) && folder !== undefined && folder !== '' ? folder : stem;
}
