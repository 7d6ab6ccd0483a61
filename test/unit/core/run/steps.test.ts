import assert from 'node:assert/strict';
import type { RenderedPart } from '../../../../src/core/words/protocol';
import { findProtocol, protocols, replyForm } from '../../../../src/protocols';
import { toolsForSteps } from '../../../../src/tools/tools-for-steps';
import { testConfig, testSession, testTool, type TestSession } from '../../../support/agent/test-session';
import { ScratchWorkspace } from '../../../support/workspace/scratch-workspace';

const plain = findProtocol('plain')!;
const FILES = { 'conf/main.ini': 'host = a\ntimeout = 30\n', 'src/a.js': 'a();\n' };

function call(name: string, args: Record<string, string>): RenderedPart {
  return { type: 'call', call: { id: '', name, arguments: args } };
}

const says = (text: string): RenderedPart => ({ type: 'text', text });
const CHANGE = call('replace_lines', { path: 'conf/main.ini', old: 'timeout = 30\n', new: 'timeout = 45\n' });
const DELETE = call('delete_file', { path: 'src/a.js' });

describe('a run in steps of one call', () => {
  let scratch: ScratchWorkspace;
  before(async () => (scratch = await ScratchWorkspace.create(FILES)));
  beforeEach(async () => {
    for (const [file, text] of Object.entries(FILES)) await scratch.write(file, text);
  });
  after(() => scratch.dispose());

  async function run(
    message: string,
    replies: readonly (readonly RenderedPart[])[],
    steps: 'one' | 'many' = 'one',
  ): Promise<TestSession> {
    const test = testSession({
      ...{ protocol: plain, replies, steps, files: Object.keys(FILES) },
      tools: toolsForSteps(scratch.registry.offered(testConfig), testConfig),
      judge: () => ({ verdict: { decision: 'auto', reason: 'a test' }, grants: [] }),
    });
    await test.session.send(message);
    assert.deepEqual(test.errors, []);
    return test;
  }

  const ran = ({ events }: TestSession): readonly string[] =>
    events.flatMap((event) => (event.type === 'tool-end' ? [event.result.toolName] : []));
  const codes = ({ events }: TestSession): readonly string[] =>
    events.flatMap((event) => (event.type === 'warning' ? [event.diagnostic.code] : []));

  /** Whether each request accepts an answer instead of a call. */
  function acceptsAnswer({ model }: TestSession): readonly boolean[] {
    const answer = `Thought: It is done.\n${rendered([says('Done.')])}`;
    return model.requests.map(({ origin }) => {
      const form = replyForm(origin);
      assert.ok(form);
      assert.ok(form.accepts(rendered([says('Look.'), DELETE])));
      return form.accepts(answer);
    });
  }

  function rendered(parts: readonly RenderedPart[]): string {
    return plain
      .renderReply(parts)
      .map((delta) => (delta.type === 'text' ? delta.text : ''))
      .join('');
  }

  it('reads the file that the message names, and then takes one call of each reply', async () => {
    const test = await run('Set the timeout in conf/main.ini to 45.', [
      [says('I change it.'), CHANGE, DELETE],
      [says('The timeout is 45.')],
    ]);
    assert.deepEqual(ran(test), ['read_file', 'edit_file']);
    assert.deepEqual(
      [await scratch.read('conf/main.ini'), await scratch.read('src/a.js')],
      ['host = a\ntimeout = 45\n', 'a();\n'],
    );
    assert.deepEqual(codes(test), ['one-call']);
    assert.deepEqual(acceptsAnswer(test), [false, true]);
    const [first = '', result = ''] = (test.model.requests[0]?.messages ?? [])
      .slice(-2)
      .map(({ content }) => content);
    assert.match(first, /^Thought: .*conf\/main\.ini.*\nTool: read_file\nPath: conf\/main\.ini\n<<<END$/);
    assert.match(result, /^Result of read_file:\n[^]*timeout = 30/);
    const last = test.session.transcript.entries.findLast(({ type }) => type === 'reply');
    assert.ok(last?.type === 'reply');
    assert.deepEqual(
      last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
      ['The timeout is 45.'],
    );
  });

  const rows = [
    { message: 'What is the timeout in conf/main.ini?', reads: ['read_file'], answers: [true] },
    { message: 'Make the tests pass.', reads: [], answers: [false] },
    { message: 'What is a closure?', reads: [], answers: [true] },
  ] as const;
  for (const { message, reads, answers } of rows) {
    it(`begins with a look or an answer: ${message}`, async () => {
      const test = await run(message, [[says('It is so.')]]);
      assert.deepEqual([ran(test), acceptsAnswer(test).slice(0, 1)], [reads, answers]);
    });
  }

  const claims = [
    { message: 'Set the timeout in conf/main.ini to 45.', answer: 'The timeout was changed.', isTold: true },
    { message: '把conf/main.ini里的timeout改成45。', answer: '已经修改。', isTold: true },
    { message: 'Set the timeout in conf/main.ini to 45.', answer: 'I cannot do that.', isTold: false },
    { message: 'What was changed in conf/main.ini?', answer: 'Nothing was changed.', isTold: false },
  ];
  for (const { message, answer, isTold } of claims) {
    it(`is ${isTold ? '' : 'not '}told that nothing has changed: ${answer}`, async () => {
      const test = await run(message, [[says(answer)], [says('I change it.'), CHANGE], [says('Done.')]]);
      assert.equal(codes(test).includes('nothing-changed'), isTold);
      const [, second] = test.model.requests;
      if (!isTold) return assert.equal(second, undefined);
      assert.match(second?.messages.at(-1)?.content ?? '', /no file is different\. The task is:\n/);
      assert.equal(acceptsAnswer(test)[1], false);
      assert.equal(codes(test).filter((code) => code === 'nothing-changed').length, 1);
    });
  }

  it('has all calls of a reply, and no first look, where it may have many', async () => {
    const test = await run('Look into src/a.js.', [[CHANGE, DELETE], [says('Done.')]], 'many');
    assert.deepEqual([ran(test), codes(test)], [['edit_file', 'delete_path'], []]);
  });
});

describe('what a model that works in steps is told', () => {
  const textProtocols = protocols.filter(({ id }) => id !== 'native');
  for (const protocol of textProtocols) {
    it(`is one call in a message, over ${protocol.id}`, () => {
      const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }] as const;
      const said = (steps: 'one' | 'many'): string =>
        protocol.request({ instructions: '', turns: [], tools, steps }).messages[0]?.content ?? '';
      assert.match(said('one'), /only one call in a message|Every reply is one step/);
      assert.doesNotMatch(said('one'), /several/i);
    });
  }
});

describe('a reply that ended by the end of its call as a stop text', () => {
  const ended = protocols.filter(({ callEnd }) => callEnd !== undefined);

  it('is possible in most protocols', () => {
    assert.deepEqual(
      protocols.filter(({ callEnd }) => callEnd === undefined).map(({ id }) => id),
      ['native', 'json', 'envelope', 'pythonic'],
    );
  });

  for (const protocol of ended) {
    for (const isSent of [false, true])
      it(`has a clean call over ${protocol.id}${isSent ? ', if the server sends it' : ''}`, async () => {
        const parts = [says('I look.'), call('look', { text: 'src/a.js' })];
        const [delta] = protocol.renderReply(parts);
        const reply = delta?.type === 'text' ? delta.text : '';
        const cut = reply.slice(0, reply.lastIndexOf(protocol.callEnd!));
        assert.ok(reply.length > cut.length);
        const text = isSent ? reply : cut;
        const test = testSession({
          ...{ protocol, steps: 'one', files: [] },
          tools: [testTool('look', 'read', async () => 'seen')],
          replies: [
            [
              { type: 'text', text },
              { type: 'end', reason: 'stop' },
            ],
          ],
          judge: () => ({ verdict: { decision: 'auto', reason: 'a test' }, grants: [] }),
        });
        await test.session.send('go');
        assert.ok(test.model.requests[0]?.stop?.includes(protocol.callEnd!));
        const calls = test.events.flatMap((event) => (event.type === 'call-end' ? [event.call] : []));
        assert.deepEqual(
          calls.map(({ name, arguments: args, mark }) => ({ name, args, mark })),
          [{ name: 'look', args: { text: 'src/a.js' }, mark: 'clean' }],
        );
      });
  }
});
