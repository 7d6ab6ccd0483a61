import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { findProtocol } from '../../../../src/protocols';
import {
  blockOf,
  escapedLine,
  keyOf,
  labelOf,
  LINE_MARKS,
  lineOf,
  originalLine,
  textOf,
} from '../../../../src/protocols/plain/lines';
import { caseCount } from '../../../hosts/random-cases';
import { cutAt } from '../../../support/protocols/parser-properties';
import { parseText } from '../../../support/protocols/run-parser';

const plain = findProtocol('plain')!;

/** Lines that mean something, with and without backslashes, and what may be around them. */
const piece = fc.oneof(
  fc.constantFrom(...LINE_MARKS),
  fc.constantFrom('\\', '\\\\', '\n', '\r\n', ' ', '"', ':', '>>>', '```', 'Path: b', 'Tool: edit', '\u200b'),
  fc.string({ maxLength: 4 }),
);
const anyText = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

const edit: ToolSpec = {
  name: 'edit',
  description: '',
  parameters: {
    type: 'object',
    properties: {
      old: { type: 'string' },
      path: { type: 'string' },
      new: { type: 'string' },
      thought: { type: 'string' },
      tool: { type: 'string' },
      answer: { type: 'string' },
    },
    additionalProperties: false,
  },
};

describe('the lines of plain', () => {
  it('give a line back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const line of text.split('\n')) assert.equal(originalLine(escapedLine(line)), line);
      }),
      { numRuns: caseCount(1_000) },
    );
  });

  it('give a value back', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = lineOf(text);
        assert.ok(!line.includes('\n'));
        assert.equal(textOf(line) ?? line, text);
      }),
      { numRuns: caseCount(1_000) },
    );
  });

  it('give a name back, and no two names have one label', () => {
    const name = fc.oneof(
      anyText,
      fc
        .array(fc.constantFrom('a', 'B', '_', ' ', '-', '1', '"', 'path'), { maxLength: 6 })
        .map((all) => all.join('')),
    );
    fc.assert(
      fc.property(name, (key) => assert.equal(keyOf(labelOf(key)), key)),
      { numRuns: caseCount(2_000) },
    );
    assert.equal(labelOf('start_line'), 'Start line');
    assert.equal(labelOf('filePath'), 'FilePath');
    assert.equal(labelOf('a-b'), '"a-b"');
  });

  it('show a text as it is', () => {
    assert.equal(blockOf('a\n\n  b\n'), 'a\n\n  b\n');
    assert.equal(blockOf('a'), 'a\n\\\n');
    assert.equal(blockOf(''), '');
    assert.equal(blockOf('Old:\n<<<END\n'), '\\Old:\n\\<<<END\n');
  });
});

describe('a step of plain', () => {
  const values = fc.record(
    { old: anyText, path: anyText, new: anyText, thought: anyText, tool: anyText, answer: anyText },
    { requiredKeys: [], noNullPrototype: true },
  );

  it('gives back every value, however the reply is cut, with its tool and without', () => {
    fc.assert(
      fc.property(values, fc.array(fc.nat(400), { maxLength: 8 }), (args, cuts) => {
        const parts = [
          { type: 'text', text: 'So.' },
          { type: 'call', call: { id: '', name: 'edit', arguments: args } },
        ] as const;
        const [delta] = plain.renderReply(parts);
        const reply = delta?.type === 'text' ? delta.text : '';
        for (const tools of [[edit], undefined]) {
          const { text, calls, errors, warnings } = parseText(plain, cutAt(reply, cuts), tools);
          assert.deepEqual([text, errors, warnings], ['So.', [], []], reply);
          assert.deepEqual(
            calls.map((call) => [call.name, call.arguments, call.mark]),
            [['edit', { ...args }, 'clean']],
          );
        }
      }),
      { numRuns: caseCount(2_000) },
    );
  });

  it('gives back an answer', () => {
    fc.assert(
      fc.property(anyText, (said) => {
        const [delta] = plain.renderReply([{ type: 'text', text: said }]);
        const reply = delta?.type === 'text' ? delta.text : '';
        const { text, calls, errors } = parseText(plain, [reply], [edit]);
        assert.deepEqual([text, calls, errors], [said.trim(), [], []], reply);
      }),
      { numRuns: caseCount(1_000) },
    );
  });
});
