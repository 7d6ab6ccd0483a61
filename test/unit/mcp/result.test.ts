import { deepEqual, equal, match, throws } from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/client';
import { ToolError } from '../../../src/core/words/tool';
import { cut, toolOutput } from '../../../src/mcp/result';
import { limits } from '../../../src/base/limits';

const PNG = 'iVBORw0KGgo=';
const imageOf = (bytes: Buffer) =>
  bytes.toString('base64') === PNG ? ({ mediaType: 'image/png', data: PNG } as const) : undefined;
const output = (result: CallToolResult) => toolOutput('mcp_s_t', result, { imageOf, limits });

describe('what a server answers', () => {
  const cases: readonly { name: string; result: CallToolResult; text: string | RegExp }[] = [
    {
      name: 'is its texts in order',
      result: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      text: 'a\nb',
    },
    {
      name: 'is reported as empty if it is empty',
      result: { content: [] },
      text: '(The tool has answered nothing.)',
    },
    {
      name: 'is its structured content if it has nothing else',
      result: { content: [], structuredContent: { degrees: 3 } },
      text: '{"degrees":3}',
    },
    {
      name: 'is its structured content beside a text that says less',
      result: { content: [{ type: 'text', text: '2 items' }], structuredContent: { items: ['a', 'b'] } },
      text: '2 items\n{"items":["a","b"]}',
    },
    {
      name: 'is not said twice, whatever the order of members',
      result: {
        content: [{ type: 'text', text: '{ "b": 1, "a": [2] }' }],
        structuredContent: { a: [2], b: 1 },
      },
      text: '{ "b": 1, "a": [2] }',
    },
    {
      name: 'is not said twice if its text was put into an object',
      result: { content: [{ type: 'text', text: '3 degrees' }], structuredContent: { content: '3 degrees' } },
      text: '3 degrees',
    },
    {
      name: 'is not said twice if each item of a list is a text',
      result: {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: '{"n":1}' },
        ],
        structuredContent: { result: ['a', { n: 1 }] },
      },
      text: 'a\n{"n":1}',
    },
    {
      name: 'names resources, and holds those that came along',
      result: {
        content: [
          { type: 'resource_link', uri: 'x://0', name: 'x://0' },
          {
            ...{ type: 'resource_link', uri: 'x://1', name: 'one', title: 'The one' },
            ...{ mimeType: 'text/csv', size: 12_345, description: 'the first' },
          },
          { type: 'resource', resource: { uri: 'x://2', text: 'two' } },
        ],
      },
      text: '[resource x://0]\n[resource x://1: The one, one, text/csv, 12345 bytes, the first]\n[resource x://2]\ntwo',
    },
    {
      name: 'leaves out sound',
      result: { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
      text: /audio \(audio\/wav\) was left out/,
    },
    {
      name: 'leaves out content that is not an image',
      result: { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] },
      text: /is not an image format that models accept/,
    },
    {
      name: 'leaves out images that are too large',
      result: { content: [{ type: 'image', data: 'A'.repeat(7_500_000), mimeType: 'image/png' }] },
      text: /larger than 5 MiB/,
    },
    {
      name: 'leaves out bytes',
      result: {
        content: [
          { type: 'resource', resource: { uri: 'x://3', blob: 'AAAA', mimeType: 'application/zip' } },
        ],
      },
      text: /\[resource x:\/\/3\] \[application\/zip was left out/,
    },
  ];
  for (const { name, result, text } of cases) {
    it(name, () => {
      const found = output(result).text;
      if (typeof text === 'string') equal(found, text);
      else match(found, text);
    });
  }

  it('holds images for models that see', () => {
    const { text, images } = output({ content: [{ type: 'image', data: PNG, mimeType: 'image/jpeg' }] });
    equal(text, '[image 1: image/png]');
    deepEqual(images, [{ mediaType: 'image/png', data: PNG }]);
  });

  it('is an error if it says so', () => {
    throws(
      () => output({ content: [{ type: 'text', text: 'no such city' }], isError: true }),
      (error) => error instanceof ToolError && /mcp_s_t failed: no such city\nChange/.test(error.message),
    );
  });

  it('is cut between characters', () => {
    equal(cut('aé€', 6), 'aé€');
    match(cut('aé€', 5), /^aé\n\[3 bytes were left out/);
    match(cut('aé€', 2), /^a\n\[5 bytes/);
  });
});
