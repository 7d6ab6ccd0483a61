import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { CallIds } from '../../../src/core/reply/call-ids';
import { standingEvents } from '../../../src/core/reply/parse-reply';
import type { Diagnostic } from '../../../src/core/words/messages';
import type { ReplyEvent } from '../../../src/core/words/protocol';
import { findProtocol } from '../../../src/protocols';
import { repository } from '../../hosts/repository';
import { splitText } from '../../support/protocols/run-parser';
import { casesIn, type ReplyCase } from '../../support/protocols/reply-cases';

const cases = ['reply-events', 'engine-events'].flatMap((name) =>
  casesIn(load(readFileSync(path.join(repository, `test/fixtures/${name}.yaml`), 'utf8'))),
);

describe('everything that is reported of a reply', () => {
  for (const each of cases) {
    it(`${each.from}: ${each.name}`, () => {
      const expected = each.expect.trimEnd();
      assert.equal(eventsText(each, [each.reply]), expected);
      assert.equal(eventsText(each, splitText(each.reply, 1)), expected, 'in single characters');
    });
  }
});

/** A line for each part of the reply, calls with id, span and mark, and below each what is said of it. */
function eventsText(
  { protocol = '', tools, strictness, recover }: ReplyCase,
  parts: readonly string[],
): string {
  const options = { ...(tools && { tools }), strictness, recover, ids: new CallIds() };
  const parser = findProtocol(protocol)!.createParser(options);
  const events = [...parts.flatMap((text) => parser.push({ type: 'text', text })), ...parser.end('stop')];
  checkNames(events, [parts.join(''), ...(tools ?? []).map(({ name }) => name)].join('\n'));
  const lines: string[] = [];
  let open = '';
  let shown = '';
  for (const event of standingEvents(events)) {
    if (event.type === 'text' || event.type === 'reasoning') {
      shown = open === event.type ? shown + event.text : event.text;
      if (open === event.type) lines.pop();
      open = event.type;
      lines.push(`${open} ${JSON.stringify(shown)}`);
      continue;
    }
    const more = linesOf(event);
    if (more.length > 0) open = '';
    lines.push(...more);
  }
  return lines.join('\n');
}

/** What is announced and shown of a call before its end is in the reply or is the name of a tool. */
function checkNames(events: readonly ReplyEvent[], known: string): void {
  for (const event of events) {
    if (event.type === 'call-start') assert.ok(known.includes(event.name), event.name);
    if (event.type === 'call-delta') assert.ok(known.includes(event.key), event.key);
  }
}

function linesOf(event: ReplyEvent): readonly string[] {
  switch (event.type) {
    case 'call-end': {
      const { id, name, arguments: args, start, end, mark, notes } = event.call;
      return [
        `${event.index} ${name} ${JSON.stringify(args)} ${id} ${start}-${end} ${mark}`,
        ...notes.map(diagnosticLine),
      ];
    }
    case 'malformed': {
      const { id, name, diagnostic } = event.malformed;
      return [
        [event.index, 'rejects', name, id].filter((word) => word !== '').join(' '),
        diagnosticLine(diagnostic),
      ];
    }
    case 'warning':
      return ['warns', diagnosticLine(event.diagnostic)];
    case 'reasoning-end':
      return [`ends reasoning ${JSON.stringify(event.text)}`];
    default:
      return [];
  }
}

function diagnosticLine({ start, end, message, hint }: Diagnostic): string {
  return `  ${start}-${end} ${[message, hint].filter(Boolean).join(' ')}`;
}
