import assert from 'node:assert/strict';
import { findProtocol } from '../../../../src/protocols';
import { parseText, splitText } from '../../../support/protocols/run-parser';

const CALL = '<tool_call>{"name":"a"}</tool_call>';
const LONG_CALL = '<tool_call>\n{"name":"a"}</tool_call>';

/** `X` is a call, `L` one with a line break in it, which counts outside of code. */
const rows: { name: string; reply: string; calls: number; warns?: true }[] = [
  { name: 'hides a call in inline code', reply: 'See `X`.', calls: 0 },
  { name: 'hides a call between runs of the same length', reply: '``X``', calls: 0 },
  { name: 'knows no inline code between runs of other lengths', reply: '``X` X```', calls: 2 },
  { name: 'takes a shorter run inside inline code for text', reply: '``a`X`b``', calls: 0 },
  { name: 'reads text between two pieces of inline code', reply: '`a` X `b`', calls: 1 },
  { name: 'reads text after inline code of two ticks', reply: '``a`` X', calls: 1 },
  { name: 'hides two calls in one piece of inline code', reply: '`X X`', calls: 0 },
  { name: 'ends inline code with its line, before a call', reply: '`a\nX`', calls: 1 },
  { name: 'ends inline code with its line, after a call', reply: '`X\n`', calls: 1 },
  { name: 'looks for the end of inline code again on every line', reply: '` X\n`X`', calls: 1 },
  {
    name: 'looks for the end of inline code again after a call that holds a line break',
    reply: '``L``X``',
    calls: 1,
  },
  { name: 'finds the next run of a length on the same line', reply: '`X` X `X` ``X`` ``` X', calls: 2 },
  { name: 'opens inline code after an unclosed run', reply: '`` X `X`', calls: 1 },
  {
    name: 'reads text after inline code, before an unclosed run',
    reply: '`X` X ` a',
    calls: 1,
  },
  { name: 'finds the next piece of inline code after several', reply: '`X` `X` ` X', calls: 1 },
  { name: 'knows no inline code between tildes', reply: '~ X ~', calls: 1 },
  { name: 'treats three backticks followed by backticks as inline code', reply: '```X```', calls: 0 },
  { name: 'hides a call in a fence', reply: 'So:\n```\nX\n```', calls: 0 },
  { name: 'hides a call after blanks in a fence', reply: 'So:\n```js\n\n X\n```', calls: 0 },
  { name: 'hides a call in a fence of tildes', reply: 'So:\n~~~`\nX\n~~~', calls: 0 },
  { name: 'needs three of a kind for a fence', reply: '``\nX\n~~\nX', calls: 2 },
  { name: 'reads what follows an empty fence', reply: '```\n```\nX', calls: 1 },
  { name: 'opens a fence after three blanks', reply: 'So:\n   ```\nX\n```', calls: 0 },
  { name: 'does not open after four blanks', reply: '    ```\nX', calls: 1 },
  { name: 'opens a fence after zero-width characters', reply: '\ufeff \u200b```\nX\n```\na', calls: 0 },
  { name: 'does not close after zero-width characters', reply: '```\nX\n\u200b```\nX\n```\na', calls: 0 },
  { name: 'does not open after a tab', reply: '\t```\nX', calls: 1 },
  { name: 'does not open after text', reply: 'a ~~~\nX', calls: 1 },
  { name: 'does not open after a call', reply: 'X~~~\nX', calls: 2 },
  { name: 'does not open after another run', reply: '~```\nX', calls: 1 },
  { name: 'opens one after a lone line break', reply: 'a\n```\nX\n```', calls: 0 },
  { name: 'closes a fence with its own character', reply: '```\nX\n~~~\nX\n```\nX', calls: 1 },
  { name: 'closes a fence with a run as long', reply: 'So:\n````\nX\n```\nX\n````\nX', calls: 1 },
  { name: 'closes a fence with a longer run', reply: 'So:\n```\nX\n`````\nX', calls: 1 },
  { name: 'closes a fence with blanks after it', reply: 'So:\n```\nX\n``` \t\r\nX', calls: 1 },
  {
    name: 'closes a fence with more blanks after it than are checked',
    reply: `So:\n\`\`\`\nX\n\`\`\`${' '.repeat(1_100)}\nX`,
    calls: 1,
  },
  { name: 'closes a fence after three blanks', reply: 'So:\n```\nX\n   ```\nX', calls: 1 },
  { name: 'does not close after four blanks', reply: 'So:\n```\nX\n    ```\nX\n```\nX', calls: 1 },
  { name: 'does not close after text', reply: 'So:\n```\nX\na ```\nX\n```\nX', calls: 1 },
  { name: 'does not close before text', reply: 'So:\n```\nX\n``` a\nX\n```\nX', calls: 1 },
  { name: 'closes a fence at the end of the reply', reply: '```\nX\n```', calls: 0, warns: true },
  { name: 'knows no inline code in a fence', reply: 'So:\n```\n`X\n```\nX`', calls: 1 },
  { name: 'warns of a call in a fence that is never closed', reply: 'So:\n```\nX', calls: 0, warns: true },
  { name: 'warns of a call in the last fence alone', reply: '```\nX\n```\n```\na\n```', calls: 0 },
  {
    name: 'does not warn of a call in a fence after another fence',
    reply: 'So:\n```\nX\n```\n```\na',
    calls: 0,
  },
  { name: 'takes inline code beside a fence for prose', reply: '`a`\n```\nX\n```', calls: 0 },
  { name: 'takes a tilde beside a fence for prose', reply: '~\n```\nX\n```', calls: 0 },
  { name: 'treats text after a fence as prose', reply: '```\nX\n```\nSo.', calls: 0 },
  { name: 'takes a call beside a fence for prose', reply: '```\nX\n```\nX', calls: 1 },
];

describe('code in a reply', () => {
  const hermes = findProtocol('hermes')!;

  for (const { name, reply, calls, warns = false } of rows) {
    it(name, () => {
      const text = reply.replaceAll('X', CALL).replaceAll('L', LONG_CALL);
      for (const parts of [[text], splitText(text, 1), splitText(text, 7)]) {
        const read = parseText(hermes, parts);
        assert.equal(read.calls.length, calls);
        const taken = read.calls.reduce((sum, { start, end }) => sum + end - start, 0);
        assert.equal(read.text.length, text.length - taken);
        assert.deepEqual(read.warnings, warns ? ['call-in-code'] : []);
      }
    });
  }
});
