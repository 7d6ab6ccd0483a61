import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ToolCall, ToolResult } from '../../../src/core/words/messages';
import type { ChatMessage } from '../../../src/core/words/model';
import { protocols } from '../../../src/protocols';
import { repository } from '../../hosts/repository';

const CALL: ToolCall = {
  id: 'c1',
  name: 'write_file',
  arguments: { path: 'hi.txt', content: 'Hello,\n<b>you</b>' },
  start: 0,
  end: 0,
  notes: [],
  mark: 'clean',
};
const RESULT: ToolResult = {
  requestId: 'c1',
  toolName: 'write_file',
  status: 'success',
  result: 'Created hi.txt.',
  durationMs: 1,
};

const sections = readFileSync(path.join(repository, 'src/protocols/README.md'), 'utf8').split(/^## /m);

describe('the page about protocols', () => {
  for (const protocol of protocols) {
    it(`shows a call and a result of ${protocol.id} as they are rendered`, () => {
      const section = sections.find((each) => each.startsWith(`${protocol.id}\n`)) ?? '';
      const shown = [...section.matchAll(/^```\w+\n([^]*?)\n```$/gm)].map(([, text]) => text);
      const { messages } = protocol.request({
        instructions: '',
        tools: [],
        turns: [
          { type: 'reply', parts: [{ type: 'call', call: CALL }] },
          { type: 'results', results: [RESULT] },
        ],
      });
      assert.deepEqual(shown, messages.map(text));
    });
  }
});

/** A text protocol's message is its text; a native one is shown as the API has it. */
function text(message: ChatMessage): string {
  const { role, content } = message;
  if (role === 'tool') return JSON.stringify({ role, tool_call_id: message.toolCallId, content });
  if (role !== 'assistant' || !message.toolCalls) return content;
  const tool_calls = message.toolCalls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  return JSON.stringify({ role, content, tool_calls });
}
