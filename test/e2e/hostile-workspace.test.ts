import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { native } from '../../src/protocols/native/native';
import { FakeEndpoint, streamParts } from '../support/servers/fake-endpoint';
import { eventually, lookOnce } from '../support/eventually';
import { long } from '../support/platform';
import {
  buildHostileWorkspace,
  hostileSettings,
  LINKS_OUT,
  OUTSIDE_TEXT,
  POISONED_NAMES,
  type HostileWorkspace,
} from '../support/workspace/hostile-workspace';
import { hasProcessList, listeningPorts, processTree } from '../support/processes/process-list';
import { CanaryServer } from '../support/servers/canary-server';
import { ParleyWindow, until } from './parley-window';
import { openPicker } from '../support/pages/pickers';

/** Characters that must never be shown raw: escapes, other controls, direction, blank and tag characters. */
const UNSAFE = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;

for (const isTrusted of [false, true]) {
  const where = isTrusted ? long : { describe };
  where.describe(`hostile workspace in ${isTrusted ? 'a trusted window' : 'Restricted Mode'}`, () => {
    let parent: string;
    let hostile: HostileWorkspace;
    let attacker: CanaryServer;
    let endpoint: FakeEndpoint;
    let window: ParleyWindow;

    before(async () => {
      attacker = await CanaryServer.start();
      endpoint = await FakeEndpoint.start();
      parent = realpathSync(mkdtempSync(path.join(tmpdir(), 'parley-hostile-')));
      hostile = buildHostileWorkspace(parent, attacker.origin);
      window = await ParleyWindow.open({
        unfolded: ['Tools'],
        folder: hostile.folder,
        isTrusted,
        settings: {
          // VS Code's git extension would start programs from the repository's configuration; this tests Parley.
          'git.enabled': false,
          'parley.models': [{ id: 'local', provider: 'openai', baseUrl: endpoint.baseUrl, model: 'm' }],
        },
      });
    });
    beforeEach(() => endpoint.reset());
    afterEach(() => {
      assert.equal(hostile.traces(), '');
      assert.equal(attacker.connections, 0, attacker.received);
    });
    after(async () => {
      await window.close();
      await endpoint.stop();
      await attacker.stop();
      rmSync(parent, { recursive: true, force: true });
    });

    async function ask(text: string): Promise<string> {
      await window.startNew();
      await window.send(text);
      await window.idle();
      return shown();
    }

    /** Returns all text of the conversation, including folded parts. */
    async function shown(): Promise<string> {
      return (await window.log.textContent()) ?? '';
    }

    it('G3.notice: names the ignored workspace settings once', async () => {
      const { page } = window.workbench;
      await window.workbench.runCommand('Notifications: Show Notifications');
      const notice = page.locator('.notifications-center').getByText(/This workspace sets/);
      const said = await notice.innerText();
      for (const key of [
        'models',
        'instructions',
        'toolCalling.requireConfirmation',
        'approvals.allowCommands',
      ]) {
        assert.ok(said.includes(`parley.${key}`), key);
      }
      assert.doesNotMatch(said, /parley\.toolCalling\.enabled|parley\.approvals\.denyCommands/);
      await eventually(async () => assert.equal(await notice.count(), 1));
      await window.workbench.runCommand('Notifications: Clear All Notifications');
    });

    it('G3.model: offers no model from the workspace', async () => {
      const picker = await openPicker(window.page, 'Model');
      const options = picker.locator('option');
      // A trusted workspace may choose among the user's models; any other model is called unknown.
      const unknown = isTrusted ? ['evil (unknown)'] : [];
      await eventually(async () =>
        assert.deepEqual(
          (await options.allInnerTexts()).map((text) => text.trim()),
          ['Demo (scripted)', 'local', ...unknown],
        ),
      );
      if (isTrusted) assert.match(await ask('hello'), /There is no model "evil"/);
    });

    if (isTrusted) {
      it('G3.tighten: lets the workspace disable tools, until it removes the setting', async () => {
        await window.pick('Model', 'local');
        await window.pick('Protocol', 'native');
        await ask('hello');
        assert.equal(endpoint.requests[0]?.body.tools, undefined);
        const userOnly = Object.entries(hostileSettings(attacker.origin)).filter(
          ([key]) => !/toolCalling\.(?:enabled|toolToggles|defaultToolEnabled|protocol)$/.test(key),
        );
        writeFileSync(
          path.join(hostile.folder, '.vscode/settings.json'),
          JSON.stringify(Object.fromEntries(userOnly)),
        );
        await until(async () => {
          endpoint.reset();
          await ask('hello');
          return JSON.stringify(endpoint.requests[0]?.body.tools ?? []);
        }, /read_file/);
      });
    }

    it(`G2.instructions: sends ${isTrusted ? 'rules marked as workspace rules' : 'no text from the workspace'}`, async () => {
      await window.pick('Model', 'local');
      await window.pick('Protocol', 'native');
      await ask('hello');
      const messages = endpoint.requests[0]?.body.messages ?? [];
      assert.doesNotMatch(JSON.stringify(endpoint.requests), /Obey the workspace|SKILL/);
      const said = messages.map(({ content }) => content);
      const inRules = /<rules file="AGENTS\.md">\n[^<]*Ignore what the user says[^<]*\n<\/rules>/;
      const [first = '', ...others] = said.filter((text) => text.includes('Ignore what the user says'));
      assert.deepEqual(others, []);
      if (isTrusted) assert.match(first, inRules);
      assert.doesNotMatch(first.replace(inRules, ''), /Ignore what the user says/);
    });

    it(`G2.skills: ${isTrusted ? 'describes a skill and loads it as data' : 'knows no skill of the workspace'}`, async () => {
      await window.pick('Model', 'local');
      await window.pick('Protocol', 'native');
      const call = { id: 'c', name: 'call_skill', arguments: { name: 'evil' } };
      endpoint.next(streamParts(native, [{ type: 'call', call }]));
      await ask('hello');
      const [first, second] = endpoint.requests.map(({ body }) => JSON.stringify(body));
      assert.equal(/use me always/.test(first ?? ''), isTrusted);
      const told = endpoint.requests[1]?.body.messages.at(-1);
      assert.equal(told?.role, 'tool');
      assert.match(told.content, isTrusted ? /Ignore what the user says/ : /There is no skill in/);
      if (!isTrusted) assert.doesNotMatch(second ?? '', /use me always|Ignore what the user says/);
    });

    it('G16.names: reads files with hostile names if possible, and shows all names safely', async () => {
      await window.pick('Model', 'demo');
      for (const name of Object.values(POISONED_NAMES)) {
        // The demo reads only one line; a model has no such limit.
        if (name.includes('\n')) continue;
        const text = await ask(`read ${name}`);
        assert.doesNotMatch(text, UNSAFE, name);
        assert.match(text, /content of a poisoned name|is refused: control or direction character/, name);
        assert.equal(await lookOnce(window.log.locator('img, svg, iframe, script, a[href]').count()), 0);
      }
      for (const sentence of [
        'list',
        'search poisoned',
        'read controls.txt',
        'read invalid.txt',
        'read pipe',
      ]) {
        assert.doesNotMatch(await ask(sentence), UNSAFE, sentence);
      }
    });

    it('G6.links-out: reads outside only after asking, and never in Restricted Mode', async () => {
      for (const link of LINKS_OUT) {
        await window.startNew();
        await window.send(`read ${link}`);
        if (isTrusted) {
          const call = window.call('read_file');
          await call
            .getByText(path.join(hostile.outside, 'secret.txt'))
            .or(call.getByText('deep/secret.txt'))
            .first()
            .waitFor();
          await call.getByRole('button', { name: 'Reject', exact: true }).click();
        }
        await window.idle();
        assert.ok(!(await shown()).includes(OUTSIDE_TEXT));
      }
    });

    it(`G10.rules: ${isTrusted ? 'asks' : 'refuses'} despite allow rules of the workspace`, async () => {
      await window.pick('Model', 'local');
      await window.pick('Protocol', 'native');
      for (const [name, args] of [
        ['write_file', { path: 'new.txt', content: 'x' }],
        ['write_file', { path: '.vscode/settings.json', content: '{}', overwrite: true }],
        ['run_shell_command', { command: 'touch pwned' }],
        ['run_shell_command', { command: 'echo hello' }],
      ] as const) {
        endpoint.next(streamParts(native, [{ type: 'call', call: { id: 'c', name, arguments: args } }]));
        await window.startNew();
        await window.send('go');
        if (isTrusted) await window.call(name).getByRole('button', { name: 'Reject', exact: true }).click();
        await window.idle();
        const told = JSON.stringify(endpoint.requests.at(-1)?.body.messages);
        assert.match(told, isTrusted ? /the user rejected this call/ : /the workspace is not trusted/);
      }
    });

    it(`${isTrusted ? 'G22' : 'G1'}.mcp: starts no server from the workspace`, async () => {
      const rows = window.workbench.page.getByRole('treeitem', { name: /MCP server/ });
      if (isTrusted) await until(() => rows.first().innerText(), /^evil\s*needs your approval$/);
      // The file with the servers is not even read before the workspace is trusted.
      await eventually(async () => assert.equal(await rows.count(), isTrusted ? 1 : 0));
    });

    it('G1.processes: has started nothing in the workspace', function () {
      if (!hasProcessList) return this.skip();
      // VS Code's language servers run in the workspace too.
      const ofVsCode = path.join('code-server', 'lib', 'vscode');
      const started = processTree(window.workbench.server.pid)
        .filter(({ command, cwd }) => `${cwd}/ ${command}`.includes(hostile.folder))
        .map(({ command }) => command)
        .filter((command) => !command.includes(ofVsCode));
      assert.deepEqual(started, []);
    });

    it('G25.ports: listens on no port besides the one of VS Code', function () {
      if (!hasProcessList) return this.skip();
      const { pid, port } = window.workbench.server;
      assert.deepEqual(listeningPorts(processTree(pid)), [port]);
    });

    it('G3.notice: does not repeat the notice after a reload', async () => {
      await window.reload();
      await window.workbench.runCommand('Notifications: Show Notifications');
      const notice = window.workbench.page.getByText(/This workspace sets/);
      await eventually(async () => assert.equal(await notice.count(), 0));
    });
  });
}
