import * as vscode from 'vscode';
import { noticeText } from '../../../base/text';
import type { FoundModel, LeftOut, LeftOutReason, ReadModel } from '../../../models/imports/found-model';
import { onOneLine } from '../../window/input-text';
import type { Secrets } from '../../window/secrets';
import type { SettingsStore } from '../../window/settings';
import { changeOwnModels } from '../own-models';
import type { FileProblem } from './read-text';
import { PLACES, readPicked, readUsualPlaces, type Source } from './sources';
import { isKnown, keysOf, profilesFrom, withoutTwins } from './take-over';

interface Parts {
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  /** Our own folder of the user's, from which that of VS Code's profile is found. */
  readonly storage: vscode.Uri;
}

/** Takes over models that the user has set up in another program. Nothing is read before they say where. */
export async function importModels(parts: Parts): Promise<void> {
  const sources = await askForSources(parts.storage);
  if (!sources) return;
  const read = withoutTwins(sources.flatMap(({ models }) => models));
  // Before anything is shown or goes wrong: no key may get into a log.
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
    label: vscode.l10n.t('Look where these programs keep their models'),
    detail: PLACES,
  };
  const file = {
    label: vscode.l10n.t('Pick a file…'),
    detail: vscode.l10n.t(
      "Roo Code's export, or a copy of any of the others; VS Code does not let Parley into their storage",
    ),
  };
  const where = await vscode.window.showQuickPick([usual, file], {
    title: vscode.l10n.t('Import Models'),
    placeHolder: vscode.l10n.t('Read now, and shown to you before anything is taken over'),
  });
  if (where === usual) return readUsualPlaces(storage);
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
    ? vscode.l10n.t('No models could be read from {0}: {1}', broken.place, problemText(broken.problem))
    : vscode.l10n.t('No models of these programs were found. Pick a file of theirs, or add the model here.');
  const add = vscode.l10n.t('Add Model…');
  if ((await vscode.window.showInformationMessage(noticeText(text), add)) === add)
    await vscode.commands.executeCommand('parley.addModel');
}

interface Item extends vscode.QuickPickItem {
  readonly found?: FoundModel;
}

/** What was found, to be ticked. What cannot be taken says why, and takes no tick. */
function choose(
  read: readonly ReadModel[],
  sources: readonly Source[],
  settings: SettingsStore,
): Promise<readonly FoundModel[] | undefined> {
  const own = settings.get('models');
  const items = read.map((each) => itemOf(each, each.type === 'found' && isKnown(each, own)));
  const taken = items.filter(({ found }) => found !== undefined);
  const left = items.filter(({ found }) => found === undefined);
  const list = vscode.window.createQuickPick<Item>();
  list.title = vscode.l10n.t('Import Models');
  list.placeholder = vscode.l10n.t('Tick the models to take over');
  list.canSelectMany = true;
  list.matchOnDetail = true;
  list.ignoreFocusOut = true;
  list.items = [
    ...taken,
    ...(left.length + problems(sources).length > 0
      ? [{ label: vscode.l10n.t('Cannot be taken'), kind: vscode.QuickPickItemKind.Separator }]
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

function problems(sources: readonly Source[]): readonly Item[] {
  return sources
    .filter(({ problem }) => problem !== undefined)
    .map(({ place, problem }) => ({ label: onOneLine(place), detail: problemText(problem) }));
}

function problemText(problem: FileProblem | undefined): string {
  switch (problem?.why) {
    case undefined:
      return '';
    case 'empty':
      return vscode.l10n.t('It is empty.');
    case 'deep':
      return vscode.l10n.t('It is nested too deep.');
    case 'large':
      return vscode.l10n.t('It is too large for a list of models.');
    case 'closed':
      return vscode.l10n.t('It cannot be opened. Check whether you may read it.');
    case 'foreign':
      return vscode.l10n.t(
        'It is of no program that Parley knows. Pick a file of Continue, Cline, Roo Code or VS Code.',
      );
    case 'malformed':
      return vscode.l10n.t('It is malformed ({0}). Correct it in its program.', onOneLine(problem.said));
  }
}

function itemOf(read: ReadModel, isInList: boolean): Item {
  const { from, name } = read;
  const label = onOneLine(name);
  if (read.type === 'left-out') return { label, description: from, detail: whyText(read.why, read) };
  if (isInList) return { label, description: from, detail: vscode.l10n.t('It is in your list already.') };
  const { baseUrl, provider, model, key, hasMore } = read;
  const words = [
    provider === 'ollama' ? `Ollama ${baseUrl ?? ''}`.trim() : baseUrl,
    onOneLine(model),
    key !== undefined && vscode.l10n.t('with its key'),
    hasMore && vscode.l10n.t('without its own headers and fields: add them as JSON'),
  ];
  return { label, description: from, detail: words.filter(Boolean).join(' · '), found: read };
}

function whyText(why: LeftOutReason, { provider, from }: LeftOut): string {
  const name = onOneLine(provider);
  switch (why) {
    case 'other-api':
      return vscode.l10n.t('{0} has an API of its own, which Parley does not speak.', name);
    case 'login':
      return vscode.l10n.t('It is reached with a login of {0}.', from);
    case 'elsewhere':
      return vscode.l10n.t(
        'It is kept by {0} elsewhere; the file has no more than its name. Add Model… takes it by its address.',
        from,
      );
    case 'not-chat':
      return vscode.l10n.t('It is not for chats.');
    case 'no-model':
      return vscode.l10n.t('It names no model. Add Model… asks the server for them.');
    case 'no-address':
      return vscode.l10n.t('It has no address that Parley can use. Add Model… asks for one.');
  }
}

/** The keys to keep; nothing where the user wants to go on with nothing. A key that is stored already stays. */
async function confirmKeys(
  chosen: readonly FoundModel[],
  secrets: Secrets,
): Promise<ReadonlyMap<string, string> | undefined> {
  const keys = new Map(keysOf(chosen));
  for (const origin of [...keys.keys()])
    if ((await secrets.keyFor(origin)) !== undefined) keys.delete(origin);
  if (keys.size === 0) return keys;
  const take = vscode.l10n.t('Take Keys');
  const leave = vscode.l10n.t('Without Keys');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Take the API keys over, too?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'They stand in these files and would be kept in the secret storage of VS Code, each for its own address: {0}.',
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
      ? vscode.l10n.t('1 model was added to your list; keys: {0}.', keys)
      : vscode.l10n.t('{0} models were added to your list; keys: {1}.', models, keys);
  if ((await vscode.window.showInformationMessage(text, select)) === select)
    await vscode.commands.executeCommand('parley.selectModel');
}
