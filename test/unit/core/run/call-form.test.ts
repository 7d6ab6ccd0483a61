import assert from 'node:assert/strict';
import type { RunSetup } from '../../../../src/core/run/agent-options';
import type { ModelDelta } from '../../../../src/core/words/model';
import type { Protocol, RenderedPart } from '../../../../src/core/words/protocol';
import { findProtocol, protocols } from '../../../../src/protocols';
import { protocolToMoveTo, suggestProtocol } from '../../../../src/protocols/choose';
import { callOf, testSession, testTool, type TestSession } from '../../../support/agent/test-session';

const look = testTool('look', 'read', async (text) => `saw ${text}`);
const change = testTool('change', 'write', async (text) => `changed ${text}`);

function says(text: string): ModelDelta[] {
  return [
    { type: 'text', text },
    { type: 'end', reason: 'stop' },
  ];
}

function written(protocol: Protocol, name: string): string {
  const parts: RenderedPart[] = [callOf(name, 'a')];
  return protocol
    .renderReply(parts)
    .map((delta) => (delta.type === 'text' ? delta.text : ''))
    .join('');
}

/** Calls that models write instead of the right ones, by the form in which they are. */
const forms: readonly { form: string; write: (name: string) => string }[] = [
  {
    form: 'json',
    write: (name) => `I will.\n\`\`\`json\n{"name": "${name}", "arguments": {"text": "a"}}\n\`\`\``,
  },
  { form: 'hermes', write: (name) => `I will.\n${written(findProtocol('hermes')!, name)}` },
  { form: 'vcp', write: (name) => `I will.\n\`\`\`\n${written(findProtocol('vcp')!, name)}\n\`\`\`` },
  { form: 'mistral', write: (name) => `[TOOL_CALLS] [{"name":"${name}","arguments":{"text":"a"}}]` },
];

interface Options {
  readonly texts: readonly string[];
  readonly protocol: string;
  readonly isOpen?: boolean;
  readonly recovery?: 'ask' | 'text';
}

async function run({ texts, protocol, isOpen = false, recovery = 'ask' }: Options): Promise<TestSession> {
  const offer = { offered: () => [look, change], whyUnavailable: () => undefined };
  const move: RunSetup['move'] = async (seen) => ({
    protocol: findProtocol(protocolToMoveTo(seen, { canForce: false }).id)!,
    offer,
  });
  const test = testSession({
    replies: texts.map(says),
    tools: [look, change],
    protocol: findProtocol(protocol)!,
    isAttended: false,
    config: { recovery },
    suggestProtocol: (seen) => suggestProtocol(seen, ''),
    // As on the command line: what would ask is refused.
    judge: ({ effect, call }) => {
      const decision = effect === 'read' || call.mark === 'clean' ? 'auto' : 'deny';
      return { verdict: { decision, reason: 'a test' }, grants: [] };
    },
    ...(isOpen && { move }),
  });
  await test.session.send('go');
  return test;
}

function codes({ events }: TestSession): readonly string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : []));
}

function used({ events }: TestSession): readonly string[] {
  return events.flatMap((event) => (event.type === 'round-start' ? [event.protocol] : []));
}

function results({ events }: TestSession): readonly string[] {
  return events.flatMap((event) => (event.type === 'tool-end' ? [event.result.result] : []));
}

function ended({ events }: TestSession): string {
  const end = events.findLast((event) => event.type === 'run-end');
  return end && 'code' in end.outcome ? `${end.outcome.type} ${end.outcome.code}` : (end?.outcome.type ?? '');
}

for (const { id } of protocols) {
  // Their parser reads the whole family.
  const isFamily = ['qwen3-coder', 'glm'].includes(id);
  const others = forms.filter(
    ({ form }) => form !== id && !(id === 'envelope' && form === 'json') && !(isFamily && form === 'hermes'),
  );
  const own = findProtocol(id)!;
  describe(`a call in another form than ${id}`, () => {
    for (const { form, write } of others) {
      it(`runs if it reads, and the conversation moves once: ${form}`, async () => {
        const test = await run({ texts: [write('look'), 'Done.'], protocol: id, isOpen: true });
        const target = protocolToMoveTo(form, { canForce: false }).id;
        assert.deepEqual(results(test), ['saw a']);
        assert.deepEqual(used(test), [id, target]);
        assert.equal(codes(test).filter((code) => code === 'form-moved').length, target === id ? 0 : 1);
        await test.session.send('again');
        assert.equal(codes(test).filter((code) => code === 'form-moved').length <= 1, true);
      });

      it(`is advised about if the user chose the protocol: ${form}`, async () => {
        const test = await run({ texts: [write('look'), 'Done.'], protocol: id });
        assert.deepEqual([codes(test).includes('form-moved'), used(test)], [false, [id, id]]);
        const advice = test.events.filter(({ type }) => type === 'advice').length;
        assert.equal(advice, suggestProtocol(form, '') === id ? 0 : 1);
      });

      it(`is answered once with the form if it changes something: ${form}`, async () => {
        const test = await run({ texts: [write('change'), write('change'), 'Done.'], protocol: id });
        assert.equal(results(test).filter((result) => result.startsWith('changed')).length, 0);
        const shown = written(own, 'change').split('\n')[0] ?? '';
        assert.ok(results(test)[0]?.includes(shown === '' ? 'interface for tools' : 'exactly in this form'));
        assert.deepEqual([ended(test), used(test).length], ['done not-run', 2]);
      });

      it(`is text on request, and told once how to write: ${form}`, async () => {
        const test = await run({ texts: [write('look'), write('look')], protocol: id, recovery: 'text' });
        assert.deepEqual(results(test), []);
        assert.match(
          test.model.requests[1]?.messages.at(-1)?.content ?? '',
          /outside of code fences|interface for tools/,
        );
        assert.deepEqual([ended(test), used(test).length], ['done not-run', 2]);
      });
    }

    it('is not one that is shown, explained or thought of', async () => {
      const call = others[0]!.write('look').replace('I will.\n', '');
      for (const text of [`For example:\n${call}`, `<think>${call}</think>Here.`]) {
        const test = await run({ texts: [text], protocol: id, isOpen: true });
        assert.deepEqual([results(test), codes(test).includes('form-moved')], [[], false], text);
      }
    });
  });
}

describe('the protocol for a form', () => {
  it('is its own, and else that of steps', () => {
    const of = (seen: string, canForce = false, lost: readonly string[] = []): string =>
      protocolToMoveTo(seen, { canForce, lost }).id;
    assert.deepEqual(
      [of('hermes'), of('vcp'), of('mistral'), of('mistral', true), of('hermes', false, ['hermes'])],
      ['hermes', 'vcp', 'json', 'plain', 'json'],
    );
  });
});
