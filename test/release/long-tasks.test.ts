import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findProtocol } from '../../src/protocols';
import { FakeEndpoint, streamParts, streamText } from '../support/servers/fake-endpoint';
import { longTasks, type LongTask } from '../support/agent/long-tasks';
import { eventually } from '../support/eventually';
import { ParleyWindow } from '../e2e/parley-window';

const protocols = ['native', 'vcp', 'hermes', 'invoke'];

/** Whole tasks, from the chat to a passing test run. The endpoint is real, its replies are scripted. */
describe('long tasks, scripted', () => {
  let endpoint: FakeEndpoint;
  let window: ParleyWindow;

  before(async () => {
    endpoint = await FakeEndpoint.start();
    window = await ParleyWindow.open({
      viewport: { width: 1280, height: 1400 },
      settings: {
        'parley.model': 'scripted',
        'parley.models': [
          {
            id: 'scripted',
            name: 'Scripted replies',
            provider: 'openai',
            baseUrl: endpoint.baseUrl,
            model: 'm',
          },
        ],
        'parley.approvals.allowCommands': ['node --test'],
      },
    });
  });
  after(async () => {
    await window.close();
    await endpoint.stop();
  });

  for (const id of protocols) {
    for (const [index, task] of longTasks.entries()) {
      it(`${task.name}, over ${id}`, async () => {
        const protocol = findProtocol(id);
        assert.ok(protocol);
        const folder = `${id}-${index}`;
        const root = path.join(window.folder, folder);
        makeProject(root, task);
        assert.equal(passesTests(root), task.isGreen);

        endpoint.reset();
        const replies = task.replies(folder);
        endpoint.next(
          ...replies.map((parts) => streamParts(protocol, parts)),
          streamText(`That was task ${folder}, scripted.`),
        );
        await window.startNew();
        await window.pick('Protocol', id);
        await window.send(task.ask);
        const allow = window.button('Allow edits in this session');
        const answer = window.log.getByText(`That was task ${folder}, scripted.`);
        await allow.or(answer).first().waitFor();
        await allow.first().click();
        await answer.waitFor();
        await window.idle();

        for (const [file, wanted] of Object.entries(task.expect)) {
          assert.match(readFileSync(path.join(root, file), 'utf8'), wanted, file);
        }
        assert.ok(passesTests(root));
        assert.equal(endpoint.requests.length, replies.length + 1);
        const last = endpoint.requests.at(-1)?.body.messages.at(-1)?.content;
        assert.match(String(last), /fail 0/);
        await eventually(async () => assert.equal(await window.log.getByText('malformed').count(), 0));
      });
    }
  }
});

function makeProject(root: string, { files }: LongTask): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function passesTests(root: string): boolean {
  return spawnSync(process.execPath, ['--test'], { cwd: root }).status === 0;
}
