import { deepEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import * as vscode from 'vscode';
import { repository } from '../hosts/repository';
import { floor } from '../hosts/vscode-versions';

/** Scenarios of the protocol's suite that do not apply to Parley, with the reason. */
const NOT_FOR_US: Readonly<Record<string, string>> = {
  'auth/basic-cimd': 'There a client is identified by a page on the web, which Parley does not have.',
  'auth/pre-registration': 'A server definition has no field for a manually registered client.',
  'auth/2025-03-26-oauth-metadata-backcompat':
    'The metadata there names another issuer than where it was found, which RFC 8414 forbids to accept.',
  'auth/client-credentials-jwt': 'An extension for machines; with Parley a person signs in.',
  'auth/client-credentials-basic': 'An extension for machines; with Parley a person signs in.',
  'auth/cross-app-access-complete-flow':
    'An extension for companies that pass a sign-in from one app to another.',
};

/** The official suite for clients. It needs a newer Node than the unit tests; every VS Code has one. */
describe('the conformance suite of the protocol', function () {
  this.timeout(240_000);
  const suite = path.join(repository, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
  const client = `"${process.execPath}" "${path.join(repository, 'out/test/support/servers/conformance-client.js')}"`;

  const run = (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [suite, ...args],
        { cwd: repository, env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } },
        (error, stdout, stderr) => {
          if (error && typeof error.code !== 'number')
            reject(new Error('The suite did not run.', { cause: error }));
          else resolve(`${stdout}\n${stderr}`);
        },
      );
    });

  const passes = async (scenario: string): Promise<boolean> =>
    (await run('client', '--command', client, '--scenario', scenario)).includes('OVERALL: PASSED');

  it('passes in every scenario that applies', async function () {
    // It runs in separate processes, whichever VS Code starts them, and takes a minute: once in `npm run test:all` is
    // enough.
    if (vscode.version === floor.version) this.skip();
    const listed = await run('list');
    const scenarios = [...(listed.split('Client scenarios')[1] ?? '').matchAll(/^ {2}- (\S+)/gm)].map(
      ([, name = '']) => name,
    );
    const suspects: string[] = [];
    const left = scenarios.values();
    const work = async (): Promise<void> => {
      for (const scenario of left) if (!(await passes(scenario))) suspects.push(scenario);
    };
    await Promise.all([work(), work(), work()]);
    // Some depend on time, so a scenario that failed in parallel with others is tried again alone.
    const failed: string[] = [];
    for (const scenario of suspects) if (!(await passes(scenario))) failed.push(scenario);
    // A scenario that passes now, or no longer exists, must leave the list.
    deepEqual(failed.sort(), Object.keys(NOT_FOR_US).sort());
  });
});
