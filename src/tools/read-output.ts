import * as z from 'zod';
import { limits } from '../base/limits';
import type { Tool } from '../core/words/tool';
import { cleanOutput, describeEnd, findCommand, sandboxNotes, shortCommand } from './commands';
import { defineTool } from './define';
import type { StartedCommand } from './ports/processes';
import type { Surroundings } from './ports/surroundings';
import { byteSize, count, duration, grouped, utf8Length } from './text/amounts';
import { splitLines } from './text/lines';
import { LatestLines } from './text/shown-lines';

const USUAL_LINES = 200;

interface View {
  /** Only lines with this text; case is ignored. */
  readonly search: string | undefined;
  /** The first line to look at, from 1; `undefined` shows the newest. */
  readonly offset: number | undefined;
  readonly lines: number;
  readonly bytes: number;
}

export function readOutput({ processes }: Pick<Surroundings, 'processes'>): Tool {
  return defineTool({
    toolset: 'shell',
    method: 'readOutput',
    displayName: 'Read Command Output',
    userDescription: 'Shows the output of a command.',
    effect: 'read',
    summary: 'output of a command',
    description:
      'Shows the output of a command and whether it still runs: the newest lines, those from offset on, or only those that ' +
      'contain a text. Use it for background commands, and for the part of a long output that run_shell_command left out.',
    example: { log_id: 'log-1c9a04f2' },
    input: () =>
      z.strictObject({
        log_id: z.string().min(1).describe('The log_id that run_shell_command gave.'),
        search: z
          .string()
          .min(1)
          .max(limits.searchPatternCharacters)
          .optional()
          .describe('Show only lines with this text, numbered. Not a pattern; case is ignored.'),
        offset: z
          .int()
          .min(1)
          .optional()
          .describe('The first line to show, from 1. Without it the newest are shown.'),
        limit: z.int().min(1).default(USUAL_LINES).describe('How many lines to show.'),
      }),
    prepare: async ({ log_id, search, offset, limit }, _, caller) => {
      const command = findCommand(processes, log_id, caller);
      return {
        title: `Read the output of ${shortCommand(command.command)}`,
        accesses: [
          {
            effect: 'read',
            target: `${log_id}: ${command.command}`,
            kind: 'command',
            verdict: { decision: 'auto', reason: 'it reads the output of a command' },
          },
        ],
        run: async ({ signal }) => {
          const view = {
            search,
            offset,
            lines: Math.min(limit, limits.readLines),
            bytes: limits.commandReadBytes,
          };
          return { text: await read(command, view, signal) };
        },
      };
    },
  });
}

async function read(command: StartedCommand, view: View, signal: AbortSignal): Promise<string> {
  const state = command.end
    ? describeEnd(command.end, command)
    : `Running for ${duration(command.durationMs)}.`;
  const { search, offset } = view;
  const shown =
    search === undefined && offset === undefined ? newest : search === undefined ? slice : matches;
  const notes = command.end ? sandboxNotes(command.end) : [];
  return [`${state} ${await shown(command, view, signal)}`, ...notes].join('\n');
}

/** Shows the last lines. */
async function newest(
  { log }: StartedCommand,
  { lines: most, bytes }: View,
  signal: AbortSignal,
): Promise<string> {
  const latest = new LatestLines<{ readonly text: string }>({ lines: most, bytes });
  let total = 0;
  const add = (line: string): void => {
    total++;
    latest.add({ text: clean(line) });
  };
  for await (const batch of log.lines(signal)) batch.forEach(add);
  const { beyond } = log;
  if (beyond) splitLines(beyond.tail.trimEnd()).forEach(add);
  const lines = latest.lines().map(({ text }) => text);
  if (total === 0) return 'It has printed nothing.';
  const first = total - lines.length + 1;
  const place = beyond
    ? `The last ${count(lines.length, 'line')}; ${byteSize(beyond.omitted)} before them were not kept. Earlier lines start at offset=1.`
    : lineRange(first, total, total);
  return [place, ...lines].join('\n');
}

/** Lines from a number on. */
async function slice(command: StartedCommand, view: View, signal: AbortSignal): Promise<string> {
  const { offset = 1 } = view;
  const page = new Page(view);
  let total = 0;
  for await (const batch of command.log.lines(signal)) {
    for (const line of batch) if (++total >= offset) page.add(clean(line));
  }
  const lost = beyondNote(command, total);
  if (total < offset)
    return `There is no line ${grouped(offset)}: it has printed ${count(total, 'line')}.${lost}`;
  const next = offset + page.lines.length;
  const more = next <= total ? [`[Go on with offset=${next}.]`] : [];
  return [lineRange(offset, next - 1, total) + lost, ...page.lines, ...more].join('\n');
}

/** Shows the lines that contain the searched text, with their numbers. */
async function matches(command: StartedCommand, view: View, signal: AbortSignal): Promise<string> {
  const { search = '', offset = 1 } = view;
  const wanted = search.toLowerCase();
  const page = new Page(view);
  let number = 0;
  let found = 0;
  let next: number | undefined;
  for await (const batch of command.log.lines(signal)) {
    for (const line of batch) {
      number++;
      const text = clean(line);
      if (number < offset || !text.toLowerCase().includes(wanted)) continue;
      found++;
      if (!page.add(`${number}\t${text}`)) next ??= number;
    }
  }
  const lost = beyondNote(command, number);
  const from = offset > 1 ? ` from line ${grouped(offset)} on` : '';
  const place = `${count(found, 'line')} of ${grouped(number)} hold ${JSON.stringify(search)}${from}.${lost}`;
  const more =
    next === undefined ? [] : [`[${grouped(page.lines.length)} shown. Go on with offset=${next}.]`];
  return [place, ...page.lines, ...more].join('\n');
}

/** Collects as many lines as one call may show, and at least one. */
class Page {
  readonly lines: string[] = [];
  private bytes = 0;
  private isFull = false;

  constructor(private readonly most: View) {}

  /** Whether there was room for it. After the first line without room, no line is added. */
  add(line: string): boolean {
    if (this.isFull) return false;
    this.bytes += utf8Length(line) + 1;
    this.isFull =
      this.lines.length >= this.most.lines || (this.lines.length > 0 && this.bytes > this.most.bytes);
    if (!this.isFull) this.lines.push(line);
    return !this.isFull;
  }
}

const CONTROL = /[^\t\x20-\x7e]/;

/** Avoids measuring every character of most lines. */
function clean(line: string): string {
  return CONTROL.test(line) ? cleanOutput(line) : line;
}

function lineRange(first: number, last: number, total: number): string {
  if (first === 1 && last === total) return `${count(total, 'line')}.`;
  return `Lines ${grouped(first)} to ${grouped(last)} of ${grouped(total)}.`;
}

function beyondNote({ log: { beyond } }: StartedCommand, total: number): string {
  if (!beyond) return '';
  return ` Only ${grouped(total)} lines are kept; ${byteSize(beyond.omitted)} after them are not. Leave out offset to see the newest.`;
}
