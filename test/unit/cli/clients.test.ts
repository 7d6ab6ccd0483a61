import assert from 'node:assert/strict';
import { load } from 'js-yaml';
import { clientHelp, clients } from '../../../src/cli/clients';
import { runCli } from '../../support/processes/run-cli';

const REACH = { address: 'http://127.0.0.1:4242/v1', token: 'secret', model: 'qwen' };

/** The text under the sentences, without the indent. */
function texts(name: string): readonly string[] {
  return clients[name]!.map(({ text }) => text(REACH));
}

describe('the help for a client', () => {
  for (const name of Object.keys(clients)) {
    it(`says address and token to ${name}`, () => {
      const help = clientHelp(name, REACH, (where) => where)!;
      assert.match(help, /http:\/\/127\.0\.0\.1:4242/);
      assert.match(help, /secret/);
    });
  }

  for (const [name, at] of [
    ['opencode', 0],
    ['kilo', 0],
    ['zed', 0],
  ] as const) {
    it(`is JSON for ${name}`, () => {
      const settings = JSON.parse(texts(name)[at]!) as object;
      assert.match(JSON.stringify(settings), /"http:\/\/127\.0\.0\.1:4242\/v1"/);
    });
  }

  it('is YAML for Continue', () => {
    const { models } = load(texts('continue')[0]!) as { models: object[] };
    assert.deepEqual(models, [
      {
        name: 'Parley',
        provider: 'openai',
        model: 'qwen',
        apiBase: 'http://127.0.0.1:4242/v1',
        apiKey: 'secret',
        roles: ['chat', 'edit', 'apply'],
        capabilities: ['tool_use'],
      },
    ]);
  });

  it('leaves the version to Claude Code, which adds it itself', () => {
    assert.match(texts('claude-code')[0]!, /^export ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:4242$/m);
  });

  it('is printed without a server', async () => {
    const { code, stdout, stderr } = await runCli(['serve', '--help-client', 'codex', '--port', '4242']);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Start the gateway with --port 4242 --token TOKEN\.\n/);
    assert.match(stdout, /^ {2}base_url = "http:\/\/127\.0\.0\.1:4242\/v1"$/m);
    assert.match(stdout, /^ {2}wire_api = "responses"$/m);
  });

  it('names known clients for an unknown client', async () => {
    for (const name of ['emacs', 'constructor']) {
      const { code, stdout, stderr } = await runCli(['serve', '--help-client', name]);
      assert.deepEqual([code, stdout], [2, '']);
      for (const known of Object.keys(clients)) assert.ok(stderr.includes(known), known);
    }
  });
});
