import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CallIds } from '../../../src/core/reply/call-ids';
import type { Protocol } from '../../../src/core/words/protocol';
import { findProtocol, protocols } from '../../../src/protocols';
import { cutPositions } from '../../hosts/random-cases';
import { foreignForms, readTool } from '../../support/protocols/foreign-forms';
import { parseDeltas, parseText, splitText, type ParseOptions } from '../../support/protocols/run-parser';
import { summary } from '../../../src/core/reply/parse-reply';

const recovering: ParseOptions = { recover: true };

/** In the form of the protocol itself; empty if its calls are no text. */
function ownCall(protocol: Protocol): string {
  const parts = [{ type: 'call', call: { id: '', name: 'read', arguments: { path: 'a' } } }] as const;
  const [delta] = protocol.renderReply(parts);
  return delta?.type === 'text' ? delta.text : '';
}

for (const protocol of protocols) {
  // An object without their own keys is an answer to those that are objects themselves.
  const isObject = ['json', 'envelope'].includes(protocol.id);
  const takesFences = isObject || protocol.id === 'plain';
  const others = foreignForms.filter(
    ({ block }) =>
      parseText(protocol, [block], [readTool]).calls.length === 0 && !(isObject && block.startsWith('{')),
  );

  describe(`recovery under ${protocol.id}`, () => {
    for (const { form, block, standsAlone } of others) {
      const behind = standsAlone ? '' : '\nDone.';
      const reply = `Let me look.\n${block}${behind}`;
      const show = (options: ParseOptions, parts = [reply]): string =>
        summary(parseText(protocol, parts, [readTool], options));

      it(`reads ${form}: ${block.slice(0, 24)}`, () => {
        const parsed = parseText(protocol, [reply], [readTool], recovering);
        const [call] = parsed.calls;
        assert.deepEqual([call?.name, call?.arguments, call?.mark], ['read', { path: 'a' }, 'recovered']);
        assert.ok(call?.notes.includes('recovered'));
        assert.equal(reply.slice(call?.start, call?.end), block);
        assert.equal(parsed.text, `Let me look.\n${behind}`);
        assert.equal(show(recovering, splitText(reply, 1)), show(recovering));
        for (const at of cutPositions(reply.length))
          assert.equal(
            show(recovering, [reply.slice(0, at), reply.slice(at)]),
            show(recovering),
            `cut at ${at}`,
          );
      });

      it(`leaves ${form} alone on request and reports it: ${block.slice(0, 24)}`, () => {
        const expected = `text ${JSON.stringify(reply)} | warns foreign-block`;
        assert.equal(show({}), expected);
        assert.equal(show({}, splitText(reply, 1)), expected);
      });
    }

    it('reads calls in fences after a sentence, if nothing follows', () => {
      const blocks = [...others.map(({ block }) => block), ownCall(protocol)].filter((block) => block !== '');
      for (const block of blocks) {
        // It has a fence itself, or counts only at the end of a reply.
        if (block.includes('```') || block.startsWith('<|python_tag|>read.call')) continue;
        const fenced = (of: string): string => `\`\`\`json\n${of}\n\`\`\``;
        const alone = `I will look at it. Then I report.\n\n${fenced(block)}\n`;
        const read = parseText(protocol, [alone], [readTool], recovering);
        assert.deepEqual(
          read.calls.map(({ name, arguments: args }) => [name, args]),
          [['read', { path: 'a' }]],
          block,
        );
        // Forms without distinctive markers take the fence around their only call for decoration.
        const marks = read.calls.map(({ mark }) => mark);
        assert.deepEqual(marks, [takesFences && block === ownCall(protocol) ? 'clean' : 'recovered'], block);
        assert.equal(read.text.trim(), 'I will look at it. Then I report.', block);
        assert.equal(show2(splitText(alone, 1)), show2([alone]), block);

        const count = (text: string, options: ParseOptions = recovering): number =>
          parseText(protocol, [text], [readTool], options).calls.length;
        assert.equal(count(`Look.\n${fenced(block)}\n${fenced(block)}`), 2, block);
        const shown: readonly string[] = [
          `Look.\n${fenced(block)}\nThat would read it.`,
          `A call looks like this:\n${fenced(block)}`,
          `For example:\n${fenced(block)}`,
          `${'It was explained at length. '.repeat(40)}\n${fenced(block)}`,
          `Look.\n\`\`\`js\nread();\n\`\`\`\nThen:\n${fenced(block)}`,
          `Look.\n${fenced(`${block}\nread it`)}`,
          `Look.\n${fenced(block.replaceAll('read', 'drop'))}`,
          `<think>Look.\n${fenced(block)}</think>Done.`,
        ];
        for (const text of shown) {
          const known = takesFences && block === ownCall(protocol) && count(text, {}) > 0;
          if (!known) assert.equal(count(text), 0, text);
        }
        assert.equal(count(`Look.\n${fenced(block)}`, { ...recovering, reason: 'length' }), 0, block);
      }
      function show2(pieces: readonly string[]): string {
        return summary(parseText(protocol, pieces, [readTool], recovering));
      }
    });

    it('continues after a block that failed', () => {
      for (const { form, block } of others) {
        const reply = `<function_calls>no call</function_calls>\n<|tool_call|>none\n${block}`;
        const [call] = parseText(protocol, [reply], [readTool], recovering).calls.slice(-1);
        assert.equal(call?.name, 'read', form);
      }
    });

    it('names the form', () => {
      for (const { form, block } of others) {
        const parser = protocol.createParser({ tools: [readTool], ids: new CallIds() });
        const events = [...parser.push({ type: 'text', text: `Look.\n${block}` }), ...parser.end('stop')];
        const seen = events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.seen] : []));
        assert.deepEqual(seen, [form], block);
      }
    });

    it('recovers nothing that is incomplete, not offered, fenced or rehearsed', () => {
      for (const { block } of others) {
        const count = (text: string, reason: ParseOptions['reason'] = 'stop'): number =>
          parseText(protocol, [text], [readTool], { ...recovering, reason }).calls.length;
        // Where the reply has ended properly, a call whose values are complete may lack its end.
        assert.equal(count(`Look.\n${block.slice(0, -9)}`, 'length'), 0, block);
        assert.equal(count(`Look.\n${block.replaceAll('read', 'drop')}`), 0, block);
        assert.equal(count(`Look.\n${block.replaceAll(/path/gi, 'size')}`), 0, block);
        assert.equal(count(`Look.\n\`\`\`\n${block}\n\`\`\`\nDone.`), 0, block);
        assert.equal(count(`<think>${block}</think>Done.`), 0, block);
        assert.equal(parseText(protocol, [`Look.\n${block}`], undefined, recovering).calls.length, 0, block);
      }
    });

    it('returns the whole text if it only mentions other formats', () => {
      const openers = [
        '<tool_call>',
        '<function=read>',
        '[TOOL_CALLS]',
        '{"name"',
        '<tool_code>',
        '<|tool_call|>',
      ];
      fc.assert(
        fc.property(
          fc.array(fc.oneof(fc.constantFrom(...openers), fc.string()), { maxLength: 30 }),
          (parts) => {
            const text = parts.join('\n');
            if (/<\/|think|`|<\|(im|eot|end)/.test(text)) return;
            const whole = parseText(protocol, [text], [readTool], recovering);
            if (whole.calls.length > 0 || whole.errors.length > 0) return;
            assert.equal(whole.text, text);
          },
        ),
      );
    });
  });
}

describe('recovery of leaked native calls', () => {
  const native = findProtocol('native')!;
  const leak = '<tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>';

  it('applies only if the server read no call itself', () => {
    const parsed = parseDeltas(
      native,
      [
        { type: 'text', text: `Look.\n${leak}\nNow.` },
        { type: 'tool-call', index: 0, id: 'x', name: 'read', arguments: '{"path":"b"}' },
      ],
      [readTool],
      recovering,
    );
    assert.equal(summary(parsed), `text ${JSON.stringify(`Look.\n${leak}\nNow.`)} | read {"path":"b"}`);
  });

  it('keeps the order of what was written', () => {
    const parser = native.createParser({ tools: [readTool], ids: new CallIds(), recover: true });
    const events = [...parser.push({ type: 'text', text: `Look.\n${leak}\nThen.` }), ...parser.end('stop')];
    assert.deepEqual(
      events.map(({ type }) => type),
      ['text', 'call-start', 'call-end', 'text'],
    );
  });

  it('tells reasoning in the text apart', () => {
    const parsed = parseText(native, ['<think>Hm.</think>Hello.'], [readTool]);
    assert.deepEqual([parsed.reasoning, parsed.text], ['Hm.', 'Hello.']);
  });
});

describe('strictness', () => {
  const hermes = findProtocol('hermes')!;
  const vcp = findProtocol('vcp')!;
  const block = '<tool_call>{"name":"read","arguments":{"path":"a",}}</tool_call>';
  const show = (text: string, strictness: ParseOptions['strictness'], protocol = hermes): string =>
    summary(parseText(protocol, [text], [readTool], strictness ? { strictness } : {}));

  it('strict rejects what would need a repair and names the repair', () => {
    assert.equal(show(block, 'strict'), 'rejects read needs-repair');
    assert.equal(show(block, 'repair'), 'read {"path":"a"} repaired [repaired-json]');
    assert.equal(show(block.replace(',}', '}'), 'strict'), 'read {"path":"a"}');
  });

  it('lenient reads a reply that is one fenced block', () => {
    const fenced = '```xml\n<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>\n```';
    assert.equal(show(fenced, 'lenient'), 'read {"path":"a"} repaired [call-in-code]');
    assert.match(show(fenced, 'repair'), /^text .* \| warns call-in-code$/);
    assert.match(show(`${fenced}\nThat is how.`, 'lenient'), /^text /);
  });

  it('lenient lets a call end reasoning that is never closed', () => {
    const open = '<think>I will read it.\n<tool_call>{"name":"read","arguments":{"path":"a"}}</tool_call>';
    assert.equal(
      show(open, 'lenient'),
      'reasoning "I will read it.\\n" | read {"path":"a"} repaired [call-in-reasoning]',
    );
    assert.match(show(open, 'repair'), /^reasoning .* \| warns call-in-reasoning$/);
    assert.match(show(`${open}</think>Fine.`, 'lenient'), /^text "Fine." \| reasoning [^|]*$/);
    const value =
      '<<<[TOOL_REQUEST]>>>\ntool_name:「始」read「末」\npath:「始」a「末」\n<<<[END_TOOL_REQUEST]>>>';
    assert.match(
      show(`<think>Hm. ${value}`, 'lenient', vcp),
      /read \{"path":"a"\} repaired \[call-in-reasoning\]$/,
    );
  });
});
