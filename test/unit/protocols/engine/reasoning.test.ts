import assert from 'node:assert/strict';
import type { Strictness } from '../../../../src/core/words/protocol';
import type { RenderedPart } from '../../../../src/core/words/protocol';
import { findProtocol, protocols } from '../../../../src/protocols';
import { callsEndThinking } from '../../../../src/protocols/choose';
import { THINK_TAGS } from '../../../../src/protocols/engine/reasoning-marks';
import { parseText, splitText } from '../../../support/protocols/run-parser';
import { eventLines } from '../../../support/protocols/parser-events';

const CALL = '<tool_call>{"name":"a"}</tool_call>';
const OBJECT = '{"tool_calls":[{"name":"a","arguments":{}}]}';
const SHOWN = ['0 starts', '0 shows : "{\\"name\\":\\"a\\"}"'];

const rows: {
  name: string;
  reply: string;
  strictness?: Strictness;
  protocol?: string;
  expect: string[];
}[] = [
  {
    name: 'nests',
    reply: '<think>a<think>b</think>c</think>d',
    expect: ['reasoning "a<think>b</think>c"', 'text "d"'],
  },
  {
    name: 'ends with the tag that closes its own',
    reply: '<thinking>a</think>b</thinking>c',
    expect: ['reasoning "a</think>b"', 'text "c"'],
  },
  {
    name: 'was everything before the first closing tag that nothing opened',
    reply: 'a</think>b</thinking>c',
    expect: ['text "a"', 'reasoning-end "a"', 'text "bc"'],
  },
  {
    name: 'takes back the calls in it, and says so',
    reply: `a${CALL}b</think>c${CALL}`,
    expect: [
      'text "a"',
      ...SHOWN,
      '0 is a {}, c1 1-36',
      'text "b"',
      `reasoning-end ${JSON.stringify(`a${CALL}b`)}`,
      'warns call-in-reasoning 0-37',
      'text "c"',
      ...SHOWN.map((line) => line.replace('0', '1')),
      '1 is a {}, c2 46-81',
    ],
  },
  {
    name: 'also revokes what was invented, and calls at the end',
    reply: `a${CALL}<tool_response>b</think>`,
    expect: [
      'text "a"',
      ...SHOWN,
      '0 is a {}, c1 1-36',
      'warns invented-result 36-52',
      `reasoning-end ${JSON.stringify(`a${CALL}<tool_response>b`)}`,
      'warns call-in-reasoning 0-52',
    ],
  },
  { name: 'does not end without a beginning', reply: ' </think>a', expect: ['text " a"'] },
  { name: 'does not end in code', reply: 'a `</think>` b', expect: ['text "a `"', 'text "</think>` b"'] },
  {
    name: 'ends with a lone tag after a pair',
    reply: '<think>a</think>b</think>c',
    expect: ['reasoning "a"', 'text "b"', 'reasoning-end "<think>a</think>b"', 'text "c"'],
  },
  {
    name: 'does not end where Gemma ends an answer',
    reply: 'a<channel|>\n',
    expect: ['text "a"', 'text "\\n"'],
  },
  {
    name: 'ends where Gemma continues after it',
    reply: 'a<channel|>\nb',
    expect: ['text "a"', 'reasoning-end "a"', 'text "\\nb"'],
  },
  {
    name: "ends with another family's tag if its own never comes",
    reply: `<thinking>a</mm:think>b${CALL}`,
    expect: ['reasoning "a"', 'text "b"', ...SHOWN, '0 is a {}, c1 23-58, repaired, other-closer 0-22'],
  },
  {
    name: 'has checkpoint names after its tags',
    reply: `<think:v2.1>a${CALL}</think:v2.1>b <think:> </think:`,
    expect: [`reasoning ${JSON.stringify(`a${CALL}`)}`, 'text "b <think:> "', 'text "</think:"'],
  },
  {
    name: 'may have been opened by the prompt under the name of a checkpoint',
    reply: 'a</think:v2>b',
    expect: ['text "a"', 'reasoning-end "a"', 'text "b"'],
  },
  { name: 'may be empty', reply: '<think></think>a', expect: ['text "a"'] },
  { name: 'may last until the end', reply: 'a<think>b', expect: ['text "a"', 'reasoning "b"'] },
  {
    name: 'lasts until the end if only an inner pair is closed',
    reply: '<think>a<think>b</think>c',
    expect: ['reasoning "a<think>b</think>c"'],
  },
  { name: 'does not begin in code', reply: '`<think>`\nb', expect: ['text "`<think>`\\nb"'] },
  {
    name: 'does not begin in a fence',
    reply: '```\n<think>a\n```\nb',
    expect: ['text "```\\n<think>a\\n```\\nb"'],
  },
  {
    name: 'hides a call without a warning if it is closed',
    reply: `<think>a${CALL}b</think>c`,
    expect: [`reasoning ${JSON.stringify(`a${CALL}b`)}`, 'text "c"'],
  },
  {
    name: 'warns of a call if it is unclosed',
    reply: `q<think>a${CALL}b`,
    expect: ['text "q"', `reasoning ${JSON.stringify(`a${CALL}b`)}`, 'warns call-in-reasoning 1-45'],
  },
  {
    name: 'ends before a call if it is unclosed, read leniently',
    reply: `q<think>a${CALL}b`,
    strictness: 'lenient',
    expect: [
      'text "q"',
      'reasoning "a"',
      ...SHOWN,
      '0 is a {}, c1 9-44, repaired, call-in-reasoning 1-45',
      'text "b"',
    ],
  },
  {
    name: 'makes all calls doubtful that it let go, read leniently',
    reply: `q<think>a${CALL}b${CALL}`,
    strictness: 'lenient',
    expect: [
      'text "q"',
      'reasoning "a"',
      ...SHOWN,
      '0 is a {}, c1 9-44, repaired, call-in-reasoning 1-80',
      'text "b"',
      ...SHOWN.map((line) => line.replace('0', '1')),
      '1 is a {}, c2 45-80, repaired, call-in-reasoning 1-80',
    ],
  },
  {
    name: 'keeps a call and the text after it if it is closed after all, read leniently',
    reply: `q<think>a${CALL}b<think>c</think>d</think>e`,
    strictness: 'lenient',
    expect: ['text "q"', `reasoning ${JSON.stringify(`a${CALL}b<think>c</think>d`)}`, 'text "e"'],
  },
  {
    name: 'is read again after a call that ended it, read leniently',
    reply: `q<think>a${CALL}b<think>c</think>d`,
    strictness: 'lenient',
    expect: [
      'text "q"',
      'reasoning "a"',
      ...SHOWN,
      '0 is a {}, c1 9-44, repaired, call-in-reasoning 1-62',
      'text "b"',
      'reasoning "c"',
      'text "d"',
    ],
  },
  {
    name: 'takes what only looks like a call for reasoning',
    reply: 'q<think>a\n<function=a></function>',
    strictness: 'lenient',
    expect: ['text "q"', 'reasoning "a\\n<function=a></function>"', 'warns call-in-reasoning 1-33'],
  },
  {
    name: 'is ended by no object, which may be anything',
    reply: `q<think>a${OBJECT}`,
    strictness: 'lenient',
    protocol: 'json',
    expect: ['text "q"', `reasoning ${JSON.stringify(`a${OBJECT}`)}`, 'warns call-in-reasoning 1-53'],
  },
];

const READ: RenderedPart = { type: 'call', call: { id: 'c1', name: 'read', arguments: {} } };

describe('reasoning in the text', () => {
  for (const protocol of protocols.filter(({ id }) => id !== 'native')) {
    const call = protocol
      .renderReply([READ])
      .map((delta) => (delta.type === 'text' ? delta.text : ''))
      .join('');
    for (const [opener, closer] of THINK_TAGS) {
      it(`hides the calls between ${opener} and ${closer} in ${protocol.id}, whichever of the two is there`, () => {
        const count = (reply: string): number => {
          const whole = parseText(protocol, [reply]);
          for (const size of [1, 2, 5]) assert.deepEqual(parseText(protocol, splitText(reply, size)), whole);
          return whole.calls.length;
        };
        assert.equal(count(`${opener}\n${call}\n${closer}\n\nDone.`), 0);
        assert.equal(count(`${opener}\n${call}\n`), 0);
        assert.equal(count(`Hm.\n${call}\n${closer}\n\nDone.`), 0);
        assert.equal(count(`Hm.\n${call}\n${closer}\n\n${call}`), 1);
        assert.equal(count(`Hm.\n${call}\n${closer}`), 0);
        assert.equal(count(`Hm.\n${closer}\n\n${call}`), 1);
      });
    }
  }

  it('ends before a call if it is unclosed, for families that end it so, but not in strict mode', () => {
    const read = (strictness: Strictness, callsEndThinking: boolean): string[] =>
      parseText(findProtocol('hermes')!, [`<think>a${CALL}`], undefined, {
        strictness,
        callsEndThinking,
      }).calls.map(({ mark }) => mark);
    assert.deepEqual(read('repair', true), ['repaired']);
    assert.deepEqual(read('repair', false), []);
    assert.deepEqual(read('strict', true), []);
    assert.deepEqual(
      eventLines(findProtocol('hermes')!, [`<think>a${CALL}`], {
        strictness: 'strict',
        callsEndThinking: true,
      }),
      [`reasoning ${JSON.stringify(`a${CALL}`)}`, `warns call-in-reasoning 0-${8 + CALL.length}`],
    );
    for (const name of [
      'Qwen/Qwen3.6-35B-A3B',
      'zai/glm-4.7',
      'kimi-k2.6',
      'gemma4:26b',
      'deepseek-v3.2',
      'Magistral-Small',
    ])
      assert.ok(callsEndThinking(name), name);
    for (const name of ['gpt-oss:20b', 'llama3.3', 'qwen2.5-coder', 'gemma-3', ''])
      assert.ok(!callsEndThinking(name), name);
  });

  it('has not begun in the prompt if the API sends it, or native calls', () => {
    const vcp = findProtocol('vcp')!;
    assert.deepEqual(eventLines(vcp, [{ think: 'a' }, 'b</think>c']), ['reasoning "a"', 'text "bc"']);
    assert.deepEqual(eventLines(vcp, [{ think: '' }, 'b</think>c']), [
      'text "b"',
      'reasoning-end "b"',
      'text "c"',
    ]);
    const native = findProtocol('native')!;
    assert.deepEqual(eventLines(native, [{ think: 'a' }, 'b</think>c']), ['reasoning "a"', 'text "bc"']);
    const called = eventLines(native, [
      'a',
      { index: 0, id: 'x', name: 'read', arguments: '{}' },
      '</think>c',
    ]);
    assert.ok(called.every((line) => !line.startsWith('reasoning')));
    assert.deepEqual(eventLines(native, ['a</think>c']), ['text "a"', 'reasoning-end "a"', 'text "c"']);
  });

  it('lasts until the end of a reply that was cut, with any closing tag', () => {
    const hermes = findProtocol('hermes')!;
    for (const reason of ['length', 'cut'] as const) {
      for (const inner of ['a</thinking>b', `a${CALL}</thinking>b`]) {
        const { reasoning, text, calls } = parseText(hermes, [`<think>${inner}`], undefined, { reason });
        assert.deepEqual({ reasoning, text, calls }, { reasoning: inner, text: '', calls: [] });
      }
    }
  });

  for (const { name, reply, strictness = 'repair', protocol = 'hermes', expect } of rows) {
    it(name, () => {
      assert.deepEqual(eventLines(findProtocol(protocol)!, [reply], { strictness }), expect);
    });
  }

  it('is read the same however it is cut', () => {
    for (const { reply, strictness = 'repair', protocol = 'hermes' } of rows) {
      const read = (parts: string[]): string =>
        eventLines(findProtocol(protocol)!, parts, { strictness })
          .join()
          .replaceAll(/",(?:text|reasoning|\d+ shows :) "/g, '');
      for (const size of [1, 3]) assert.equal(read(splitText(reply, size)), read([reply]));
    }
  });

  it('and control tokens are left out of what is shown', () => {
    assert.deepEqual(eventLines(findProtocol('hermes')!, ['a<|im_end|>b<｜end▁of▁sentence｜>']), [
      'text "ab"',
    ]);
  });
});
