import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../src/base/json';
import { withAnswerForm } from '../../../src/gateway/answer-form';
import { readChatRequest, type ChatRequest } from '../../../src/gateway/chat-api';

const SCHEMA = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] };
const TOOLS = [{ type: 'function', function: { name: 'read' } }];

const fields: readonly { readonly field: string; readonly value: Json; readonly says: string }[] = [
  {
    field: 'response_format',
    value: { type: 'json_schema', json_schema: { name: 'r', schema: SCHEMA, strict: true } },
    says: JSON.stringify(SCHEMA),
  },
  { field: 'response_format', value: { type: 'json_schema', schema: SCHEMA }, says: JSON.stringify(SCHEMA) },
  { field: 'response_format', value: { type: 'json_object', schema: SCHEMA }, says: JSON.stringify(SCHEMA) },
  { field: 'response_format', value: { type: 'json_object' }, says: 'One JSON object.' },
  { field: 'response_format', value: { type: 'grammar', grammar: 'root ::= "x"' }, says: 'root ::= "x"' },
  { field: 'json_schema', value: SCHEMA, says: JSON.stringify(SCHEMA) },
  { field: 'guided_json', value: SCHEMA, says: JSON.stringify(SCHEMA) },
  { field: 'guided_json', value: '{"type":"object"}', says: '{"type":"object"}' },
  { field: 'guided_regex', value: '[ab]+', says: '[ab]+' },
  { field: 'guided_choice', value: ['yes', 'no'], says: '["yes","no"]' },
  { field: 'guided_grammar', value: 'root ::= "x"', says: 'root ::= "x"' },
  { field: 'grammar', value: 'root ::= "x"', says: 'root ::= "x"' },
  { field: 'structured_outputs', value: { json: SCHEMA }, says: JSON.stringify(SCHEMA) },
  { field: 'structured_outputs', value: { choice: ['yes', 'no'] }, says: '["yes","no"]' },
];

const read = (more: JsonObject): ChatRequest =>
  withAnswerForm(
    readChatRequest({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Go.' },
      ],
      temperature: 1,
      ...more,
    }),
  );

describe('the form of an answer', () => {
  for (const { field, value, says } of fields) {
    it(`is described while calls are possible: ${field} ${JSON.stringify(value).slice(0, 40)}`, () => {
      for (const tool_choice of ['auto', 'required']) {
        const { rest, instructions } = read({ tools: TOOLS, [field]: value, tool_choice });
        assert.deepEqual(rest, { temperature: 1 });
        assert.match(instructions, /^Be brief\.\n\nCall tools/);
        assert.ok(instructions.endsWith(says), instructions);
      }
    });

    it(`is enforced if nothing can be called: ${field} ${JSON.stringify(value).slice(0, 40)}`, () => {
      for (const more of [{ tools: TOOLS, tool_choice: 'none' }, { tools: [{ type: 'web_search' }] }]) {
        const { rest, instructions } = read({ ...more, [field]: value });
        assert.deepEqual(rest, { temperature: 1, [field]: value });
        assert.equal(instructions, 'Be brief.');
      }
    });
  }

  for (const value of [{ type: 'text' }, null]) {
    it(`is not described if it is ${JSON.stringify(value)}`, () => {
      const { rest, instructions } = read({ tools: TOOLS, response_format: value });
      assert.deepEqual([rest, instructions], [{ temperature: 1 }, 'Be brief.']);
    });
  }
});
