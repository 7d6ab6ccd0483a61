import { never } from '../base/never';
import { redactData } from '../base/redact';
import { visibleText } from '../base/text';
import { foldEvents } from '../core/transcript/fold-events';
import { isMend } from '../core/transcript/rewind';
import type { CallPart, Entry, Transcript } from '../core/transcript/transcript';
import { VERSION } from './record';
import type { StoredSession } from './session-store';

/** A session for people to read, as Markdown. */
export function sessionText({ header, events }: Pick<StoredSession, 'header' | 'events'>): string {
  const began = new Date(header.created).toISOString();
  const text = [`# ${header.title}`, `Began ${began}`, ...blocks(foldEvents(events))].join('\n\n');
  return visibleText(`${text}\n`);
}

function blocks({ entries }: Transcript): string[] {
  return entries.flatMap(entryBlocks);
}

function entryBlocks(entry: Entry): string[] {
  switch (entry.type) {
    case 'user':
      return ['## You', entry.text, ...entry.attachments.map(({ label }) => `- with ${label}`)];
    case 'compaction':
      return [
        `(${entry.isUndone ? 'Summarized, and taken back' : 'Summarised for the model'})`,
        quoted(entry.summary),
      ];
    case 'restore':
      return [
        `(Put back: ${entry.changes.map(({ display }) => display).join(', ') || 'nothing'})`,
        ...(entry.left ?? []).map(({ display, reason }) => `- ${display}: ${reason}`),
      ];
    case 'rewind':
      return [
        isMend(entry)
          ? '(The next reply was mended; this was left out:)'
          : '(Went back to before the next message; this was left out:)',
        quoted(entry.left.flatMap(entryBlocks).join('\n\n')),
      ];
    case 'outcome':
      return ['message' in entry.outcome ? entry.outcome.message : 'Stopped.'];
    case 'reply': {
      const parts = entry.parts.flatMap((part) => {
        if (part.type === 'call') return callBlocks(part);
        return part.type === 'text' ? [part.text.trim()] : [quoted(part.text.trim())];
      });
      const mended = entry.isMended ? ', mended by the user' : '';
      return [`## Parley (${entry.protocol}${mended})`, ...parts.filter((part) => part !== '')];
    }
    default:
      return never(entry);
  }
}

function callBlocks({ name, state }: CallPart): string[] {
  switch (state.type) {
    case 'streaming':
      return [];
    case 'malformed':
      return [`### ${name || 'a call'}: not a complete call`, state.malformed.diagnostic.message];
    case 'ended': {
      const { call, result, subAgent, answered } = state;
      return [
        `### ${name}: ${result.status}`,
        fenced(JSON.stringify(call.arguments, undefined, 2), 'json'),
        ...(answered ? [`${answered.question}\n${answered.answer}`] : []),
        ...(subAgent ? [quoted(blocks(subAgent).join('\n\n'))] : []),
        fenced(result.result, ''),
      ];
    }
    default:
      return [`### ${name}`, fenced(JSON.stringify(state.call.arguments, undefined, 2), 'json')];
  }
}

function quoted(text: string): string {
  return text === '' ? '' : text.replace(/^/gm, '> ');
}

/** A fence that nothing in the text can close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * A session as JSON Lines: a header, then its events, each a line. A file of them is a session file for `parley replay`.
 * They bear no check sums, because whoever looks through them may want to take something out.
 */
export function sessionLines(
  { header: { id, workspace, title, created }, events }: Pick<StoredSession, 'header' | 'events'>,
  redact: (text: string) => string,
): string {
  const header = { version: VERSION, id, workspace, title, created };
  const records = [{ header }, ...events.map((event) => ({ event }))];
  return records.map((record) => `${JSON.stringify(redactData(record, redact))}\n`).join('');
}
