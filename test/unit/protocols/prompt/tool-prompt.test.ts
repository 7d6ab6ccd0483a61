import assert from 'node:assert/strict';
import type { JsonSchema } from '../../../../src/core/words/schema';
import type { ToolSpec } from '../../../../src/core/words/tool';
import { countTokens } from '../../../../src/node/tokens';
import { exampleArguments } from '../../../../src/protocols/prompt/describe';
import { protocols } from '../../../../src/protocols';
import { toolPrompt } from '../../../../src/protocols/prompt/tool-prompt';
import { parseText } from '../../../support/protocols/run-parser';

const write: ToolSpec = {
  name: 'write_file',
  description:
    'Writes a file. Makes missing folders, and refuses to replace a file unless that is asked for.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Where it goes, seen from the open folder.' },
      content: { type: 'string', description: 'All of its text.' },
      overwrite: { type: 'boolean', default: false },
    },
    required: ['path', 'content'],
  },
};
const list: ToolSpec = {
  name: 'list',
  description: 'Lists.',
  parameters: { type: 'object', properties: {} },
};

describe('the prompt for tools', () => {
  for (const protocol of protocols) {
    it(`has a short form under ${protocol.id} that still says what a call needs`, () => {
      const told = (form: 'full' | 'short'): string => {
        const { tools, messages } = protocol.request({
          instructions: '',
          turns: [],
          tools: [write, list],
          promptForm: form,
        });
        return JSON.stringify(tools ?? messages);
      };
      const [full, short] = [told('full'), told('short')];
      for (const word of ['write_file', 'Writes a file.', 'path', 'content', 'overwrite', 'boolean', 'list'])
        assert.ok(short.toLowerCase().includes(word.toLowerCase()), word);
      assert.ok(full.includes('Makes missing folders'));
      assert.ok(!short.includes('Makes missing folders') && !short.includes('seen from the open folder'));
      assert.ok(short.length < full.length);
    });

    it(`measures what one tool adds under ${protocol.id}`, () => {
      assert.ok(protocol.describeTool(write).includes('write_file'));
      assert.ok(countTokens(protocol.describeTool(write)) > countTokens(protocol.describeTool(list)));
      assert.ok(
        countTokens(protocol.describeTool(write, 'short')) < countTokens(protocol.describeTool(write)),
      );
    });
  }

  for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
    it(`shows a whole exchange under ${protocol.id} on request`, () => {
      const tools = [write, list];
      const full = protocol.describeTools(tools);
      const told = protocol.describeTools(tools, 'example');
      assert.ok(told.startsWith(`${full}\n\n`));
      const [, first, call = '', result = '', answer = ''] = told
        .slice(full.length)
        .split(/\n\n(?:User|You):\n/);
      assert.match(first ?? '', /needs write_file/);
      const [found, ...others] = parseText(protocol, [call], tools).calls;
      assert.deepEqual(others, []);
      assert.deepEqual([found?.name, found?.mark], ['write_file', 'clean']);
      assert.deepEqual(found?.arguments, exampleArguments(write));
      assert.match(result, /Done\./);
      const { calls, text } = parseText(protocol, [answer], tools);
      assert.deepEqual([calls, text], [[], 'It is done.']);
    });
  }

  it('is built once for the same tools, and again for others', () => {
    let made = 0;
    const describe = toolPrompt({
      describeTool: ({ name }) => name,
      prompt: ({ tools }) => `${++made}: ${tools.join(', ')}`,
      exchange: ({ name }) => `with ${name}`,
    });
    assert.equal(describe([write, list]), '1: write_file, list');
    assert.equal(describe([write, list]), '1: write_file, list');
    assert.equal(describe([list, write]), '2: list, write_file');
    assert.equal(describe([write, { ...list }]), '3: write_file, list');
    assert.equal(describe([write, list], 'short'), '4: write_file, list');
    assert.equal(describe([write, list]), '1: write_file, list');
    assert.equal(describe([write, list], 'example'), '5: write_file, list\n\nwith write_file');
    assert.equal(describe([]), '');
  });

  it('makes an example for a tool without one', () => {
    const rows: readonly (readonly [string, JsonSchema, unknown])[] = [
      ['show', { type: 'string', enum: ['a', 'b'] }, 'a'],
      ['show', { const: 'only' }, 'only'],
      ['path', { type: 'string' }, 'src/greeting.txt'],
      ['path', { type: 'string', description: 'The directory to look in.' }, 'src'],
      ['path', { type: 'string', enum: ['left', 'right'] }, 'left'],
      ['uri', { type: 'string' }, 'https://example.com/'],
      ['page', { type: 'string', format: 'uri' }, 'https://example.com/'],
      ['count', { type: 'integer', minimum: 5 }, 5],
      ['command', { type: 'array', items: { type: 'string' } }, ['git status']],
      ['path', { type: 'boolean' }, true],
      ['anything', {}, 'text'],
    ];
    for (const [name, schema, expected] of rows) {
      const parameters = { type: 'object', properties: { [name]: schema }, required: [name] };
      assert.deepEqual(exampleArguments({ name: 'x', description: '', parameters }), { [name]: expected });
    }
    const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
    for (const name of ['list_directory', 'listFolder', 'dir-tree']) {
      assert.deepEqual(exampleArguments({ name, description: '', parameters: path }), { path: 'src' });
    }
  });

  it('takes its example from a tool with a text of several lines', () => {
    // The forms of `plain` have placeholders: small models take an example for the project.
    for (const protocol of protocols.filter(({ id }) => !['native', 'plain'].includes(id))) {
      assert.match(protocol.describeTools([list, write]), /this is the second line/);
      assert.doesNotMatch(protocol.describeTools([list]), /write_file/);
    }
  });
});
