import assert from 'node:assert/strict';
import type { RenderedPart } from '../../../src/core/words/protocol';
import { protocols } from '../../../src/protocols';
import { caseCount } from '../../hosts/random-cases';
import { parseDeltas, parseText } from '../../support/protocols/run-parser';
import {
  nativeProperties,
  outcomes,
  textProperties,
  writeTool,
  writeCall,
} from '../../support/protocols/parser-properties';

for (const protocol of protocols) {
  describe(`protocol ${protocol.id}`, () => {
    const textOf = (parts: readonly RenderedPart[]): string =>
      protocol
        .renderReply(parts)
        .map((delta) => (delta.type === 'text' ? delta.text : ''))
        .join('');

    const isNative = protocol.id === 'native';
    for (const { name, check } of isNative ? nativeProperties(protocol) : textProperties(protocol)) {
      it(name, () => check({ numRuns: caseCount(300) }));
    }

    it('reads back the white space around a value', () => {
      for (const content of ['', '\n', '\r\n', '\na', 'a\n', '\n\n a \n\n', '\r\na\r\n', ' ', '\t']) {
        const parsed = parseDeltas(protocol, protocol.renderReply([writeCall({ path: 'a', content })]), [
          writeTool,
        ]);
        assert.deepEqual(outcomes(parsed), [['write_file', { path: 'a', content }]]);
      }
    });

    it('describes every tool and shows a whole example', () => {
      const { messages, tools } = protocol.request({ instructions: '', turns: [], tools: [writeTool] });
      const told = JSON.stringify(tools ?? messages);
      for (const word of ['write_file', 'Writes a file.', 'path', 'content', 'mode'])
        assert.match(
          told,
          new RegExp(word, 'i'),
          `The protocol ${protocol.id} does not tell models "${word}".`,
        );
      if (tools) return;
      const example = protocol.describeTools([writeTool]);
      const [first] = parseText(protocol, [example.slice(example.indexOf('\n\n'))], [writeTool]).calls;
      assert.equal(first?.name, 'write_file');
    });

    it('rejects a call without a name, whatever tools there are', () => {
      for (const name of ['', ' ', '\n', '\u200b']) {
        for (const tools of [undefined, [], [writeTool]]) {
          const call = { id: 'k1', name, arguments: { path: 'a' } };
          const { calls, errors } = parseDeltas(
            protocol,
            protocol.renderReply([{ type: 'call', call }]),
            tools,
          );
          assert.deepEqual(calls, []);
          const shown = JSON.stringify(name);
          assert.ok(
            errors.length === 1,
            `The protocol ${protocol.id} does not reject the name ${shown} once.`,
          );
        }
      }
    });

    it('renders requests and results of one conversation the same every time', () => {
      const turns = [
        { type: 'user', text: 'hi' },
        {
          type: 'reply',
          parts: [
            {
              type: 'call',
              call: {
                id: 'k1',
                name: 'write_file',
                arguments: { path: 'a' },
                start: 0,
                end: 0,
                notes: [],
                mark: 'clean',
              },
            },
          ],
        },
        {
          type: 'results',
          results: [
            { requestId: 'k1', toolName: 'write_file', status: 'success', result: 'Created.', durationMs: 1 },
          ],
        },
      ] as const;
      const once = protocol.request({ instructions: 'x', turns, tools: [writeTool] });
      assert.deepEqual(protocol.request({ instructions: 'x', turns, tools: [writeTool] }), once);
      assert.match(JSON.stringify(once.messages.at(-1)), /Created\./);
    });

    if (isNative) return;

    it('keeps the good calls of a reply that also has a bad one', () => {
      const good = textOf([writeCall({ path: 'a' })]);
      const bad = textOf([{ type: 'call', call: { id: 'k2', name: 'nothing', arguments: { path: 'b' } } }]);
      const parsed = parseText(protocol, [`${bad}\n${good}`], [writeTool]);
      assert.deepEqual(outcomes(parsed), [
        ['write_file', { path: 'a' }],
        ['unknown-tool', 'nothing'],
      ]);
    });
  });
}
