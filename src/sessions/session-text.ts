import { never } from '../base/never';
import { redactData } from '../base/redact';
import { visibleText } from '../base/text';
import { foldEvents } from '../core/transcript/fold-events';
import { isReplyEdit } from '../core/transcript/rewind';
import type { CallPart, Entry, Transcript } from '../core/transcript/transcript';
import { VERSION } from './record';
import type { StoredSession } from './session-store';

/** Translates English texts into the reader's language. */
type Say = (english: string) => string;

/** A session for people to read, as Markdown: headings and reasons in the reader's language, the rest unchanged. */
export function sessionText(
  { header, events }: Pick<StoredSession, 'header' | 'events'>,
  say: Say = (english) => english,
): string {
  const began = new Date(header.created).toISOString();
  const text = [`# ${header.title}`, `${say('Began')} ${began}`, ...blocks(foldEvents(events), say)].join(
    '\n\n',
  );
  return visibleText(`${text}\n`);
}

function blocks({ entries }: Transcript, say: Say): string[] {
  return entries.flatMap((entry) => entryBlocks(entry, say));
}

function entryBlocks(entry: Entry, say: Say): string[] {
  switch (entry.type) {
    case 'user':
      return [
        `## ${say('You')}`,
        entry.text,
        ...entry.attachments.map(({ label }) => `- ${say('with')} ${label}`),
      ];
    case 'compaction':
      return [
        `(${say(entry.isUndone ? 'Summarized, then undone' : 'Summarized for the model')})`,
        quoted(entry.summary),
      ];
    case 'restore':
      return [
        `(${say('Restored')}: ${entry.changes.map(({ display }) => display).join(', ') || say('nothing')})`,
        ...(entry.left ?? []).map(({ display, reason }) => `- ${display}: ${say(reason)}`),
      ];
    case 'rewind':
      return [
        say(
          isReplyEdit(entry)
            ? '(The next reply was edited; this was left out:)'
            : '(The conversation was rewound to before the next message; this was left out:)',
        ),
        quoted(entry.left.flatMap((each) => entryBlocks(each, say)).join('\n\n')),
      ];
    case 'outcome':
      return [say('message' in entry.outcome ? entry.outcome.message : 'Stopped.')];
    case 'reply': {
      const parts = entry.parts.flatMap((part) => {
        if (part.type === 'call') return callBlocks(part, say);
        return part.type === 'text' ? [part.text.trim()] : [quoted(part.text.trim())];
      });
      const edited = entry.isEdited ? `, ${say('edited by the user')}` : '';
      return [`## Parley (${entry.protocol}${edited})`, ...parts.filter((part) => part !== '')];
    }
    default:
      return never(entry);
  }
}

function callBlocks({ name, state }: CallPart, say: Say): string[] {
  switch (state.type) {
    case 'streaming':
      return [];
    case 'malformed':
      return [
        `### ${name || say('a call')}: ${say('not a complete call')}`,
        say(state.malformed.diagnostic.message),
      ];
    case 'ended': {
      const { call, result, subAgent, answered } = state;
      return [
        `### ${name}: ${say(result.status)}`,
        fenced(JSON.stringify(call.arguments, undefined, 2), 'json'),
        ...(answered ? [`${answered.question}\n${answered.answer}`] : []),
        ...(subAgent ? [quoted(blocks(subAgent, say).join('\n\n'))] : []),
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

/** A fence that the text cannot close. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * A session as JSON Lines: a header, then its events, each a line. A file of them is a session file for `parley
 * replay`. Lines have no check sums, so that people can remove parts of an export.
 */
export function sessionLines(
  { header: { id, workspace, title, created }, events }: Pick<StoredSession, 'header' | 'events'>,
  redact: (text: string) => string,
): string {
  const header = { version: VERSION, id, workspace, title, created };
  const records = [{ header }, ...events.map((event) => ({ event }))];
  return records.map((record) => `${JSON.stringify(redactData(record, redact))}\n`).join('');
}
