import assert from 'node:assert/strict';
import { limits } from '../../../../../src/base/limits';
import type { FormPlace, ReplyForm } from '../../../../../src/contract/lab-parse';
import type { JsonSchema } from '../../../../../src/core/words/schema';
import type { ToolSpec } from '../../../../../src/core/words/tool';
import { allowedNext, replyForm } from '../../../../../src/host/ui/lab/reply-form';
import { findProtocol } from '../../../../../src/protocols';

const READ: ToolSpec = {
  name: 'read_file',
  description: 'Reads a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
  },
};

const LIST: ToolSpec = { name: 'list_files', description: 'Lists files.', parameters: { type: 'object' } };

function form(reply: string, id = 'hermes', tools: readonly ToolSpec[] = [READ, LIST]): ReplyForm {
  const protocol = findProtocol(id);
  assert.ok(protocol);
  return replyForm(protocol, tools, reply);
}

function place(reply: string, id = 'hermes', tools: readonly ToolSpec[] = [READ, LIST]): FormPlace {
  const found = form(reply, id, tools);
  assert.ok(found.type === 'form' && 'place' in found.match, JSON.stringify(found));
  return found.match.place;
}

const CALL = '<tool_call>\n{"name":"read_file","arguments":{"path":"a.txt"}}\n</tool_call>';

describe('replyForm', () => {
  for (const [name, reply] of Object.entries({
    'text and a call': `Let me look.\n${CALL}`,
    'thinking first': `<think>Hm.</think>\n${CALL}`,
    'thinking that the template has opened': `Hm.</think>\n${CALL}`,
  })) {
    it(`finds a reply in the form: ${name}`, () => {
      const found = form(reply);
      assert.ok(found.type === 'form');
      assert.deepEqual(found.match, { type: 'whole' });
      assert.match(found.grammar, /^root ::= /);
      assert.equal(found.schema, undefined);
    });
  }

  it('names the first invalid character, the text before it, and what was allowed', () => {
    const reply = 'Let me look.\n<tool_call>\n{"name":"read_file","args":{}}';
    assert.deepEqual(place(reply), {
      at: reply.indexOf('s":{}}'),
      ...{ line: 3, column: 25, before: '{"name":"read_file","arg', found: 's' },
      allowed: { texts: [{ written: '"arg', rest: 'uments":' }], more: 0, mayEnd: false },
    });
  });

  it('names the tools that could have been called', () => {
    const { allowed } = place('<tool_call>\n{"name":"raed_file"');
    assert.deepEqual(allowed.texts, [{ written: '"r', rest: 'ead_file"' }]);
  });

  it('groups what may come next if it is any character', () => {
    const { found, allowed } = place('See [TOOL');
    assert.equal(found, 'O');
    assert.deepEqual(allowed.chars, {
      isNegated: true,
      ranges: [['O', 'O']],
    });
    assert.equal(allowed.mayEnd, true);
  });

  it('tells of a reply that ends too early, at its end', () => {
    const reply = '<tool_call>\n{"name":"read_file","arguments":{"path":"a"';
    const found = form(reply);
    assert.ok(found.type === 'form' && found.match.type === 'unfinished');
    const { at, found: nothing, allowed } = found.match.place;
    assert.deepEqual([at, nothing], [reply.length, '']);
    assert.deepEqual(
      allowed.texts.map(({ rest }) => rest),
      [',', '}'],
    );
  });

  it('counts lines and columns from 1, also where the first character is a line break', () => {
    const { at, line, column } = place('\nHello', 'envelope');
    assert.deepEqual([at, line, column], [0, 1, 1]);
  });

  it('cuts between characters', () => {
    const { before, found } = place(`${'😀'.repeat(40)}{"😀`, 'json');
    assert.equal(before, `${'😀'.repeat(22)}{"`);
    assert.equal(found, '😀');
  });

  it('has a JSON schema if the reply is one JSON object', () => {
    for (const id of ['json', 'envelope']) {
      const found = form('', id);
      assert.ok(found.type === 'form' && found.schema);
      assert.match(found.schema, /"read_file"/);
    }
  });

  it('has no schema if the API carries the calls, or without tools', () => {
    assert.deepEqual(form(CALL, 'native'), { type: 'none', why: 'native' });
    assert.deepEqual(form(CALL, 'hermes', []), { type: 'none', why: 'no-tools' });
  });

  it('gives up on long replies and says how far it came', () => {
    const found = form('A line of text that goes on.\n'.repeat(100_000));
    assert.ok(found.type === 'form' && found.match.type === 'stopped');
    assert.ok(found.match.at > 100_000);
  });

  it('gives up if a schema doubles its alternatives at each level', () => {
    const reference: JsonSchema & { $ref: string } = { $ref: '#/$defs/list' };
    const list: JsonSchema = { type: 'array', items: reference };
    const parameters = {
      type: 'object',
      properties: { value: reference },
      required: ['value'],
      $defs: { list: { anyOf: [list, { ...list }, { type: 'null' }] } },
    };
    const reply = `<tool_call>\n{"name":"nest","arguments":{"value":${'['.repeat(1_000_000)}`;
    const found = form(reply, 'hermes', [{ name: 'nest', description: 'Nests.', parameters }]);
    assert.ok(found.type === 'form');
    assert.equal(found.match.type, 'stopped');
  });
});

describe('allowedNext', () => {
  const text = (rest: string): { written: string; rest: string } => ({ written: '', rest });

  it('lists each text once, and says how many it leaves out', () => {
    const texts = ['a1', 'a1', ...Array.from({ length: 20 }, (_, index) => `b${index}`)].map(text);
    const allowed = allowedNext({ texts, sets: [], mayEnd: false });
    assert.equal(allowed.texts.length, limits.labFormTexts);
    assert.equal(allowed.more, 21 - limits.labFormTexts);
  });

  it('joins characters, ranges and all but some characters', () => {
    const digits = { isNegated: false, ranges: [['1', '9']] } as const;
    const others = {
      isNegated: true,
      ranges: [
        ['"', '"'],
        ['\0', '\x1f'],
        ['a', 'z'],
      ],
    } as const;
    const chars = (...sets: (typeof digits | typeof others)[]): unknown =>
      allowedNext({ texts: ['0', 'b', 'true'].map(text), sets, mayEnd: false }).chars;
    assert.deepEqual(chars(digits), {
      isNegated: false,
      ranges: [
        ['0', '9'],
        ['b', 'b'],
      ],
    });
    assert.deepEqual(chars(digits, others), {
      isNegated: true,
      ranges: [
        ['\0', '\x1f'],
        ['"', '"'],
        ['a', 'a'],
        ['c', 'z'],
      ],
    });
  });

  it('cuts texts that are very long', () => {
    const [cut] = allowedNext({ texts: [text('x'.repeat(1_000))], sets: [], mayEnd: false }).texts;
    assert.equal(cut?.rest.length, limits.labFormTextCharacters + 1);
  });
});
