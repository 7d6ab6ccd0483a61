import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser';
import * as z from 'zod/mini';
import { limits } from '../base/limits';
import { visibleText } from '../base/text';
import { mcpInput, mcpServer, mcpServerAliases } from '../manifest/mcp';
import { schemaMessage } from '../manifest/schema-parts';
import type { Input, ServerDefinition, ServerOptions } from './definition';

/** Maximum characters of a file. */
export interface FileSpan {
  readonly offset: number;
  readonly length: number;
}

/** A problem in a file, in a sentence with the next step, and its position. */
export interface ConfigProblem {
  readonly problem: string;
  readonly at: FileSpan;
}

interface WrittenServer {
  readonly name: string;
  readonly definition: ServerDefinition;
  readonly options?: ServerOptions;
  /** Its name, as it is written. */
  readonly at: FileSpan;
}

export interface ReadConfig {
  readonly servers: readonly WrittenServer[];
  readonly inputs: readonly Input[];
  readonly problems: readonly ConfigProblem[];
}

const START: FileSpan = { offset: 0, length: 1 };

/**
 * Parses the text of a `.mcp.json`. Each server is checked separately: an invalid one does not affect the others.
 * Never throws.
 */
export function readConfig(text: string): ReadConfig {
  const refused = (problem: string, at: FileSpan = START): ReadConfig => ({
    servers: [],
    inputs: [],
    problems: [{ problem, at }],
  });
  if (isTooDeep(text)) return refused('It is nested too deep. Correct it.');
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const what = inWords(printParseErrorCode(error.error));
    return refused(`It is not valid JSON (${what}), so its servers are ignored. Fix it.`, error);
  }
  if (root?.type !== 'object') return refused('It is not an object. Put the servers into "mcpServers".');
  const found = ['mcpServers', 'servers'].flatMap((key) => membersOf(root, key));
  const servers = found.flatMap(({ servers }) => servers);
  const valueOf = (node: Node): unknown => getNodeValue(node);
  const read = readServers(servers.map(({ name, node, at }) => ({ name, value: valueOf(node), at })));
  const inputs = readInputs(root);
  return {
    servers: read.servers,
    inputs: inputs.inputs,
    problems: [...found.flatMap(({ problems }) => problems), ...read.problems, ...inputs.problems],
  };
}

/** The same for the settings; positions are unknown there. */
export function readSetting(value: unknown): Omit<ReadConfig, 'inputs'> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const problem = 'It is not an object. List the servers by name in it.';
    return { servers: [], problems: [{ problem, at: START }] };
  }
  const entries: [string, unknown][] = Object.entries(value);
  return readServers(entries.map(([name, each]) => ({ name, value: each, at: START })));
}

interface Member {
  readonly name: string;
  readonly node: Node;
  readonly at: FileSpan;
}

/** The servers under a key. */
function membersOf(
  root: Node,
  key: string,
): { readonly servers: readonly Member[]; readonly problems: readonly ConfigProblem[] } {
  const node = findNodeAtLocation(root, [key]);
  if (!node) return { servers: [], problems: [] };
  if (node.type !== 'object') {
    const problem = `"${key}" is not an object. List the servers by name in it.`;
    return { servers: [], problems: [{ problem, at: spanOf(node) }] };
  }
  const servers = (node.children ?? []).flatMap(({ children: [name, value] = [] }) =>
    name && value ? [{ name: String(name.value), node: value, at: spanOf(name) }] : [],
  );
  return { servers, problems: [] };
}

function readServers(
  given: readonly { readonly name: string; readonly value: unknown; readonly at: FileSpan }[],
): Omit<ReadConfig, 'inputs'> {
  const servers: WrittenServer[] = [];
  const problems: ConfigProblem[] = [];
  const names = new Set<string>();
  for (const { name, value, at } of given) {
    const read = names.has(name) ? { problem: 'it is there twice' } : readServer(name, value);
    names.add(name);
    if ('problem' in read) {
      const problem = `The server "${name}" cannot be used: ${read.problem}. Correct it.`;
      problems.push({ problem, at });
    } else servers.push({ name, ...read, at });
  }
  return { servers, problems };
}

const LONGEST_NAME = 100;

type ReadServer = Pick<WrittenServer, 'definition' | 'options'>;

/** Or a clause about why it cannot be used. */
function readServer(name: string, value: unknown): ReadServer | { readonly problem: string } {
  if (name.trim() === '' || name.length > LONGEST_NAME)
    return { problem: `a name has 1 to ${LONGEST_NAME} characters` };
  const { entry, remarks } = knownFields(value);
  const checked = z.safeParse(mcpServer, entry, { error: schemaMessage });
  if (!checked.success) return { problem: firstIssue(checked.error) };
  const definition = readDefinition(checked.data);
  if ('problem' in definition) return definition;
  const { timeout, startupTimeout, disabled } = checked.data;
  const options: ServerOptions = {
    ...(timeout !== undefined && { callTimeoutMs: milliseconds(timeout) }),
    ...(startupTimeout !== undefined && { startTimeoutMs: milliseconds(startupTimeout) }),
    ...(disabled === true && { isDisabled: true }),
    ...(remarks.length > 0 && { remarks }),
  };
  return { definition, ...(Object.keys(options).length > 0 && { options }) };
}

function readDefinition({
  type,
  command,
  args = [],
  env = {},
  cwd,
  url,
  headers = {},
  oauth,
}: z.output<typeof mcpServer>): ServerDefinition | { readonly problem: string } {
  if (type === undefined && command !== undefined && url !== undefined)
    return { problem: 'it has both "command" and "url"; keep one' };
  const isProgram = type === undefined ? command !== undefined : type === 'stdio';
  if (isProgram) {
    if (command === undefined) return { problem: '"command" is missing' };
    const texts = Object.entries(env).map(([key, each]) => [key, String(each)] as const);
    return {
      type: 'stdio',
      command,
      args,
      env: Object.fromEntries(texts),
      ...(cwd !== undefined && { cwd }),
    };
  }
  if (url === undefined)
    return { problem: type === undefined ? '"command" or "url" is missing' : '"url" is missing' };
  // Variables are checked when they are replaced.
  if (!url.includes('${') && !isHttp(url)) return { problem: '"url" must begin with http:// or https://' };
  return { type: 'http', url, headers, ...(type === 'sse' && { mayBeSse: true }), ...(oauth && { oauth }) };
}

/** The fields of an entry under Parley's names, without those that are null, and what the log says of the others. */
function knownFields(value: unknown): { readonly entry: unknown; readonly remarks: readonly string[] } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { entry: value, remarks: [] };
  const entry: Record<string, unknown> = {};
  const remarks: string[] = [];
  const unknown: string[] = [];
  for (const [field, given] of Object.entries(value)) {
    const name = (Object.hasOwn(mcpServerAliases, field) ? mcpServerAliases[field] : field) ?? field;
    if (given === null) continue;
    if (!Object.hasOwn(mcpServer.shape, name)) unknown.push(visibleText(field.slice(0, LONGEST_NAME)));
    else if (TIMES.has(name) && !(typeof given === 'number' && given > 0))
      remarks.push(`"${field}" is not a number of seconds, so the default is used.`);
    else if (name === field || !Object.hasOwn(value, name)) entry[name] = given;
  }
  if (unknown.length > 0)
    remarks.push(
      `Parley does not know these fields of its entry: ${unknown.slice(0, MOST_FIELDS).join(', ')}.`,
    );
  return { entry, remarks };
}

const TIMES = new Set(['timeout', 'startupTimeout']);

/** Unknown fields that are named. */
const MOST_FIELDS = 20;

/** Other agents write milliseconds. */
const FIRST_MILLISECONDS = 1_000;

function milliseconds(given: number): number {
  const ms = given >= FIRST_MILLISECONDS ? given : given * 1_000;
  return Math.min(Math.ceil(ms), limits.mcpTimeoutMostMs);
}

export function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function readInputs(root: Node): Pick<ReadConfig, 'inputs' | 'problems'> {
  const node = findNodeAtLocation(root, ['inputs']);
  if (!node) return { inputs: [], problems: [] };
  if (node.type !== 'array')
    return { inputs: [], problems: [{ problem: '"inputs" is not a list. Fix it.', at: spanOf(node) }] };
  const inputs: Input[] = [];
  const problems: ConfigProblem[] = [];
  for (const each of node.children ?? []) {
    const checked = z.safeParse(mcpInput, getNodeValue(each), { error: schemaMessage });
    if (checked.success) inputs.push(checked.data);
    else {
      const problem = `This input cannot be used: ${firstIssue(checked.error)}. Correct it.`;
      problems.push({ problem, at: spanOf(each) });
    }
  }
  return { inputs, problems };
}

function firstIssue({ issues: [issue] }: z.core.$ZodError): string {
  const at = issue && issue.path.length > 0 ? `"${issue.path.join('.')}": ` : '';
  return `${at}${issue?.message ?? ''}`;
}

function spanOf({ offset, length }: Node): FileSpan {
  return { offset, length };
}

/** `CommaExpected` → `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}

const DEEPEST = 32;

/**
 * The parser recurses with the nesting, and its stack is limited. An unmatched closing bracket does not reduce the
 * depth.
 */
function isTooDeep(text: string): boolean {
  const scanner = createScanner(text, true);
  const open: number[] = [];
  for (;;) {
    const token: number = scanner.scan();
    if (token === TOKENS.end) return false;
    if (token === TOKENS.openBrace || token === TOKENS.openBracket) open.push(token);
    // Each closing token is numbered after its opening one.
    if (open.at(-1) === token - 1) open.pop();
    if (open.length > DEEPEST) return true;
  }
}

/** `SyntaxKind` of the parser, a const enum, which is missing when files are compiled separately. */
const TOKENS = { openBrace: 1, openBracket: 3, end: 17 } as const;
