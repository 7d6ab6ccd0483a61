import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CallIds } from '../../../src/core/reply/call-ids';
import { findProtocol, protocols } from '../../../src/protocols';
import { cutPositions } from '../../hosts/random-cases';
import { foreignForms, readTool } from '../../support/protocols/foreign-forms';
import { parseDeltas, parseText, splitText, type ParseOptions } from '../../support/protocols/run-parser';
import { summary } from '../../../src/core/reply/parse-reply';

const recovering: ParseOptions = { recover: true };

for (const protocol of protocols) {
  // An object without their own keys is an answer to those that are objects themselves.
  const isObject = ['json', 'envelope'].includes(protocol.id);
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
        assert.equal(count(`Look.\n${block.replaceAll('path', 'size')}`), 0, block);
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
