import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { linkedPages } from '../../src/contract/chat';
import { docsPlaces } from '../support/docs-places';
import { eventually } from '../support/eventually';

describe('parley.openDocs', () => {
  const close = () => vscode.commands.executeCommand('workbench.action.closeAllEditors');
  beforeEach(close);
  afterEach(close);

  const label = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label;

  async function shows(page: string): Promise<void> {
    const name = page.replace(/.*\//, '');
    await eventually(() => {
      assert.equal(label(), `Preview ${name}.md`);
      assert.ok(vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputWebview);
    });
  }

  for (const place of [...docsPlaces(), ...linkedPages.map((page) => [page] as const)]) {
    it(`opens what a link names: ${place.join(', ')}`, async () => {
      await vscode.commands.executeCommand('parley.openDocs', ...place);
      await shows(place[0]);
    });
  }

  for (const [name, given] of [
    ['nothing', []],
    ['a page that does not exist', ['nowhere']],
    ['a path out of the folder', ['../SECURITY']],
    ['something else', [{ page: 'chat' }]],
  ] as const) {
    it(`opens the list of pages for ${name}`, async () => {
      await vscode.commands.executeCommand('parley.openDocs', ...given);
      await shows('README');
    });
  }
});
