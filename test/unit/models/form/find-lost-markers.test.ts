import assert from 'node:assert/strict';
import type { Model, ModelDelta } from '../../../../src/core/words/model';
import type { FormSupport, LostMarkers } from '../../../../src/models/fact-types';
import { findLostMarkers } from '../../../../src/models/form/find-lost-markers';
import { protocols } from '../../../../src/protocols';
import { factInMemory } from '../../../support/servers/fact-in-memory';

/** What a server writes that is held to a grammar of texts, after it was through with the reply. */
function server(passOn: (text: string) => string | undefined): Model & { asked: number } {
  const model = {
    name: 'test',
    asked: 0,
    async *stream({
      responseFormat,
    }: Parameters<Model['stream']>[0]): AsyncGenerator<ModelDelta, void, undefined> {
      model.asked++;
      const root =
        responseFormat?.type === 'grammar' ? (/^root ::= (.*)$/m.exec(responseFormat.gbnf)?.[1] ?? '') : '';
      const texts = root.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
      const reply = passOn(texts.map((text) => JSON.parse(text) as string).join(''));
      if (reply === undefined) {
        yield { type: 'failure', failure: { code: 'server-error', message: 'No.' } };
        return;
      }
      yield* (reply.match(/[^]{1,5}/g) ?? []).map((text) => ({ type: 'text', text }) as const);
      yield { type: 'end', reason: 'stop' };
    },
  };
  return model;
}

const without =
  (...tokens: readonly string[]) =>
  (text: string): string =>
    tokens.reduce((left, token) => left.replaceAll(token, ''), text);

describe('markers that a server drops', () => {
  const rows: {
    name: string;
    passOn: Parameters<typeof server>[0];
    grammar?: FormSupport;
    lost: readonly string[] | undefined;
  }[] = [
    { name: 'none', passOn: (text) => text, lost: [] },
    { name: "Hermes's", passOn: without('<tool_call>'), lost: ['hermes', 'qwen3-coder', 'glm'] },
    { name: "Gemma's", passOn: without('<|tool_call>', '<tool_call|>'), lost: ['gemma4'] },
    {
      name: 'both',
      passOn: without('<|tool_call>', '<tool_call>'),
      lost: ['hermes', 'qwen3-coder', 'glm', 'gemma4'],
    },
    {
      name: 'after the reasoning',
      passOn: without('<|tool_call>'),
      grammar: 'works-opened',
      lost: ['gemma4'],
    },
    { name: 'unknown, because the grammar is ignored', passOn: () => 'Hello!', lost: undefined },
    { name: 'unknown, because the reply broke off', passOn: (text) => text.slice(0, 60), lost: undefined },
    { name: 'unknown, because the server failed', passOn: () => undefined, lost: undefined },
    { name: 'unknown without grammars', passOn: without('<tool_call>'), grammar: 'ignored', lost: undefined },
  ];
  for (const { name, passOn, grammar = 'works', lost } of rows) {
    it(`are found: ${name}`, async () => {
      const model = server(passOn);
      const lostMarkers = factInMemory<LostMarkers>({});
      await findLostMarkers(
        model,
        protocols,
        { forms: { grammar }, lostMarkers },
        new AbortController().signal,
      );
      assert.deepEqual(lostMarkers.read().protocols, lost);
      assert.equal(model.asked, grammar === 'ignored' ? 0 : 1);
    });
  }
});
