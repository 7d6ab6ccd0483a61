import * as vscode from 'vscode';
import { noticeText } from '../../../../base/text';
import type { FoundModel, LeftOut, LeftOutReason, ReadModel } from '../../../../models/imports/found-model';
import { onOneLine } from '../../../platform/input-text';
import type { Secrets } from '../../../platform/secrets';
import type { SettingsStore } from '../../../platform/settings';
import { changeOwnModels } from '../own-models';
import type { FileProblem } from './read-text';
import { USUAL_FILES, readPicked, readUsualFiles, type Source } from './sources';
import { isKnown, keysOf, profilesFrom, withoutTwins } from './take-over';

interface ImportParts {
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  /** Our global storage folder, from which VS Code's profile folder is found. */
  readonly storage: vscode.Uri;
}

/** Imports models from other programs. Nothing is read before the user chooses where. */
export async function importModels(parts: ImportParts): Promise<void> {
  const sources = await askForSources(parts.storage);
  if (!sources) return;
  const read = withoutTwins(sources.flatMap(({ models }) => models));
  // Before anything is shown or fails: no key may be logged.
  for (const each of read)
    if (each.type === 'found' && each.key !== undefined) parts.secrets.learnSecret(each.key);
  if (read.length === 0) return tellNothing(sources);
  const chosen = await choose(read, sources, parts.settings);
  if (!chosen || chosen.length === 0) return;
  const keys = await confirmKeys(chosen, parts.secrets);
  if (!keys) return;
  const isWritten = await changeOwnModels(parts.settings, (profiles) => [
    ...profiles,
    ...profilesFrom(chosen, profiles),
  ]);
  if (!isWritten) return;
  for (const [origin, key] of keys) await parts.secrets.keepKey(origin, key);
  await tellDone(chosen.length, keys.size);
}

async function askForSources(storage: vscode.Uri): Promise<readonly Source[] | undefined> {
  const usual = {
    label: vscode.l10n.t('Search the configuration files of these programs'),
    detail: USUAL_FILES,
  };
  const file = {
    label: vscode.l10n.t('Select file…'),
    detail: vscode.l10n.t(
      "An export of Roo Code, or a copy of another configuration file. Extensions cannot read each other's storage.",
    ),
  };
  const where = await vscode.window.showQuickPick([usual, file], {
    title: vscode.l10n.t('Import Models'),
    placeHolder: vscode.l10n.t('Nothing is imported before you confirm'),
  });
  if (where === usual) return readUsualFiles(storage);
  if (where !== file) return undefined;
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Models'),
    openLabel: vscode.l10n.t('Read'),
    filters: { [vscode.l10n.t('Settings')]: ['json', 'yaml', 'yml'] },
  });
  return files && Promise.all(files.map(readPicked));
}

async function tellNothing(sources: readonly Source[]): Promise<void> {
  const [broken] = sources.filter(({ problem }) => problem !== undefined);
  const text = broken
    ? vscode.l10n.t('No models could be imported from {0}: {1}', broken.fileName, problemText(broken.problem))
    : vscode.l10n.t('No models found in these programs. Select a file, or add a model.');
  const add = vscode.l10n.t('Add Model…');
  if ((await vscode.window.showInformationMessage(noticeText(text), add)) === add)
    await vscode.commands.executeCommand('parley.addModel');
}

interface FoundItem extends vscode.QuickPickItem {
  readonly found?: FoundModel;
}

/** The found models as check boxes. Models that cannot be imported say why and have none. */
function choose(
  read: readonly ReadModel[],
  sources: readonly Source[],
  settings: SettingsStore,
): Promise<readonly FoundModel[] | undefined> {
  const own = settings.get('models');
  const items = read.map((each) => itemOf(each, each.type === 'found' && isKnown(each, own)));
  const taken = items.filter(({ found }) => found !== undefined);
  const left = items.filter(({ found }) => found === undefined);
  const list = vscode.window.createQuickPick<FoundItem>();
  list.title = vscode.l10n.t('Import Models');
  list.placeholder = vscode.l10n.t('Select the models to import');
  list.canSelectMany = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  list.items = [
    ...taken,
    ...(left.length + problems(sources).length > 0
      ? [{ label: vscode.l10n.t('Cannot be imported'), kind: vscode.QuickPickItemKind.Separator }]
      : []),
    ...left,
    ...problems(sources),
  ];
  list.selectedItems = taken;
  list.onDidChangeSelection((items) => {
    const takeable = items.filter(({ found }) => found !== undefined);
    if (takeable.length < items.length) list.selectedItems = takeable;
  });
  return new Promise((resolve) => {
    list.onDidAccept(() => {
      resolve(list.selectedItems.flatMap(({ found }) => (found ? [found] : [])));
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}

function problems(sources: readonly Source[]): readonly FoundItem[] {
  return sources
    .filter(({ problem }) => problem !== undefined)
    .map(({ fileName, problem }) => ({ label: onOneLine(fileName), detail: problemText(problem) }));
}

function problemText(problem: FileProblem | undefined): string {
  switch (problem?.why) {
    case undefined:
      return '';
    case 'empty':
      return vscode.l10n.t('The file is empty.');
    case 'deep':
      return vscode.l10n.t('The file is nested too deeply.');
    case 'large':
      return vscode.l10n.t('The file is too large for a list of models.');
    case 'closed':
      return vscode.l10n.t('The file cannot be opened. Check its permissions.');
    case 'foreign':
      return vscode.l10n.t('Unknown file format. Select a file of Continue, Cline, Roo Code or VS Code.');
    case 'malformed':
      return vscode.l10n.t('The file is malformed ({0}). Fix it in its program.', onOneLine(problem.said));
  }
}

function itemOf(read: ReadModel, isInList: boolean): FoundItem {
  const { from, name } = read;
  const label = onOneLine(name);
  if (read.type === 'left-out') return { label, description: from, detail: whyText(read.why, read) };
  if (isInList) return { label, description: from, detail: vscode.l10n.t('Already in your list.') };
  const { baseUrl, provider, model, key, hasMore } = read;
  const words = [
    provider === 'ollama' ? `Ollama ${baseUrl ?? ''}`.trim() : baseUrl,
    onOneLine(model),
    key !== undefined && vscode.l10n.t('with its key'),
    hasMore && vscode.l10n.t('without its custom headers and fields (add them as JSON)'),
  ];
  return { label, description: from, detail: words.filter(Boolean).join(' · '), found: read };
}

function whyText(why: LeftOutReason, { provider, from }: LeftOut): string {
  const name = onOneLine(provider);
  switch (why) {
    case 'other-api':
      return vscode.l10n.t('Parley does not support the API of {0}.', name);
    case 'login':
      return vscode.l10n.t('Requires a login to {0}.', from);
    case 'elsewhere':
      return vscode.l10n.t(
        'The file has only the name of this {0} model. Use Add Model… with its address.',
        from,
      );
    case 'not-chat':
      return vscode.l10n.t('Not a chat model.');
    case 'no-model':
      return vscode.l10n.t('No model name. Use Add Model… to load models from the server.');
    case 'no-address':
      return vscode.l10n.t('No usable address. Use Add Model… to enter one.');
  }
}

/** The keys to save; nothing if the user cancels. Stored keys are kept. */
async function confirmKeys(
  chosen: readonly FoundModel[],
  secrets: Secrets,
): Promise<ReadonlyMap<string, string> | undefined> {
  const keys = new Map(keysOf(chosen));
  for (const origin of [...keys.keys()])
    if ((await secrets.keyFor(origin)) !== undefined) keys.delete(origin);
  if (keys.size === 0) return keys;
  const take = vscode.l10n.t('Import Keys');
  const leave = vscode.l10n.t('Without Keys');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Import API keys too?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        "The keys in these files are copied to VS Code's secret storage, each for its address: {0}.",
        [...keys.keys()].join(', '),
      ),
    },
    take,
    leave,
  );
  if (answer === undefined) return undefined;
  return answer === take ? keys : new Map();
}

async function tellDone(models: number, keys: number): Promise<void> {
  const select = vscode.l10n.t('Select Model…');
  const text =
    models === 1
      ? vscode.l10n.t('1 model imported, keys: {0}.', keys)
      : vscode.l10n.t('{0} models imported, keys: {1}.', models, keys);
  if ((await vscode.window.showInformationMessage(text, select)) === select)
    await vscode.commands.executeCommand('parley.selectModel');
}
