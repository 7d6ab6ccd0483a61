import { basename } from 'node:path';
import { limits } from '../../base/limits';
import { visibleText } from '../../base/text';
import type { RulesFile } from '../../core/run/instructions';
import { ToolError } from '../../core/words/tool';
import { judgePath } from '../../policy/paths/paths';
import { byteSize, utf8Length } from '../../tools/text/amounts';
import { pathFileSystem, placesNow, type PlacesOptions } from './path-file-system';
import { openRegularFile } from './regular-file';
import { detectEncoding, firstBytes } from './text-encoding';

/** The first of these that a folder of the workspace has counts; an empty one counts as absent. */
export const rulesNames = [
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
  '.github/copilot-instructions.md',
  '.cursorrules',
] as const;

interface RulesOptions extends PlacesOptions {
  /** Asked at every look: before, nothing is read. */
  readonly isTrusted: () => boolean;
}

export interface FoundRules {
  readonly files: readonly RulesFile[];
  /** What is there and cannot be used. */
  readonly ignored: readonly IgnoredRules[];
}

export interface IgnoredRules {
  readonly name: string;
  /** The name of the folder of the workspace. */
  readonly folder: string;
  /** A clause. */
  readonly problem: string;
}

/** Looks anew for what the project asks of agents. The same files give the same texts. */
export async function findRules(options: RulesOptions): Promise<FoundRules> {
  if (!options.isTrusted()) return { files: [], ignored: [] };
  const files: RulesFile[] = [];
  const ignored: IgnoredRules[] = [];
  let left: number = limits.instructionsBytes;
  for (const root of options.roots) {
    for (const name of rulesNames) {
      const read = await readRules(root, name, left, options);
      if (read === undefined) continue;
      if ('problem' in read) {
        ignored.push({ name, folder: basename(root), problem: read.problem });
        continue;
      }
      files.push(read);
      left -= utf8Length(read.text);
      break;
    }
  }
  return { files, ignored };
}

/** Nothing where nothing is. */
async function readRules(
  root: string,
  name: string,
  left: number,
  options: RulesOptions,
): Promise<RulesFile | { readonly problem: string } | undefined> {
  const request = { ...placesNow(options), roots: [root], path: name, use: 'read' } as const;
  const { verdict, resolved } = await judgePath(request, pathFileSystem);
  if (resolved === undefined) return { problem: verdict.reason };
  const kind = await pathFileSystem.kind(resolved).catch(() => 'other');
  if (kind === undefined) return undefined;
  // A link may lead to another file of this folder, but not out of it and to no secret.
  if (verdict.decision !== 'auto') return { problem: verdict.reason };
  const most = Math.min(limits.instructionFileBytes, left);
  if (most < limits.rulesLeastBytes)
    return { problem: `the rules of the other folders take up all ${inAll()}` };
  try {
    const { text, size } = await readHead(resolved, name);
    const shown = visibleText(text).trim();
    const cut = size > limits.instructionFileBytes || utf8Length(shown) > most;
    // A file that somebody has only made, so far, must not hide the one that was filled.
    if (!cut && shown === '') return undefined;
    if (!cut) return { name, folder: basename(root), text: shown };
    const note = `[Cut: ${name} has ${byteSize(size)}; at most ${byteSize(limits.instructionFileBytes)} of a file and ${inAll()} of all are given. Read the file for the rest.]`;
    const kept = firstBytes(shown, most - utf8Length(note) - 1);
    return { name, folder: basename(root), text: `${kept}\n${note}`, isCut: true };
  } catch (error) {
    if (error instanceof TypeError || error instanceof ToolError || isSystemError(error))
      return { problem: 'it cannot be read as text' };
    throw error;
  }
}

function inAll(): string {
  return byteSize(limits.instructionsBytes);
}

/** As much of a file as may be used. Throws `TypeError` for what is no text. */
async function readHead(path: string, name: string): Promise<{ text: string; size: number }> {
  const { handle, stats } = await openRegularFile(path, name);
  try {
    const buffer = Buffer.alloc(Math.min(stats.size, limits.instructionFileBytes));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    const bytes = buffer.subarray(0, bytesRead);
    const { encoding } = detectEncoding(bytes);
    if (encoding === 'utf-8' && bytes.includes(0)) throw new TypeError('binary');
    // `stream` keeps back a character that the cut has gone through.
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: stats.size > bytesRead });
    return { text, size: stats.size };
  } finally {
    await handle.close();
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}
