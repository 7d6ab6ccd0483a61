import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { OpenedReply, PageProblem } from '../../../contract/lab-parse';
import { most } from '../../../contract/most';
import { readYaml, writeYaml } from '../../../node/yaml';
import { ReplyCases, type ReplyCase } from './reply-cases';

/** Lets the user open a recorded reply: a text, the recorded lines of a stream, or a file of cases. */
export async function openReplyFile(): Promise<OpenedReply | PageProblem | undefined> {
  const [uri] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Open Recorded Reply'),
      openLabel: vscode.l10n.t('Open'),
    })) ?? [];
  if (!uri) return undefined;
  const name = nameOf(uri);
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > most.reply) {
    const text = '{0} is larger than {1} MB. Open only the part with the reply.';
    return { problem: vscode.l10n.t(text, name, most.reply / 1024 / 1024) };
  }
  const content = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  return /\.ya?ml$/i.test(uri.path) ? pickCase(name, content) : { name, reply: content, protocol: 'auto' };
}

async function pickCase(name: string, content: string): Promise<OpenedReply | PageProblem | undefined> {
  const read = readYaml(content);
  if ('problem' in read) {
    return {
      problem: vscode.l10n.t('{0} is not valid YAML: {1}. Fix it and open it again.', name, read.problem),
    };
  }
  const checked = ReplyCases.safeParse(read.value);
  if (!checked.success) {
    const text = '{0} is not a list of cases, at {1}. Save a case here to see the format.';
    return { problem: vscode.l10n.t(text, name, placeOf(checked.error)) };
  }
  const cases = checked.data;
  const picked = cases.length > 1 ? await pick(cases) : cases[0];
  if (!picked) return undefined;
  const { reply, tools, strictness, recover, expect } = picked;
  const protocol = picked.protocol ?? name.replace(/\.ya?ml$/i, '');
  return { name: picked.name, reply, protocol, case: { tools, strictness, recover, expect } };
}

async function pick(cases: readonly ReplyCase[]): Promise<ReplyCase | undefined> {
  const items = cases.map((each) => ({ label: each.name, description: each.protocol ?? '', each }));
  const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Open Case') });
  return picked?.each;
}

function placeOf(error: z.core.$ZodError): string {
  const [issue] = error.issues;
  return issue && issue.path.length > 0 ? issue.path.join('.') : vscode.l10n.t('beginning');
}

/** Asks for a description of the case and its folder, and writes it there. */
export async function saveCaseFile(
  content: Omit<ReplyCase, 'name' | 'from'>,
): Promise<{ readonly saved: string } | PageProblem | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save as Case'),
    prompt: vscode.l10n.t('Describe what this reply shows, for example "reads two calls in a row".'),
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name for the case.') : undefined),
  });
  if (name === undefined) return undefined;
  const folder = await defaultFolder();
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save as Case'),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${content.protocol ?? 'reply'}-case.yaml`) }),
    filters: { YAML: ['yaml', 'yml'] },
  });
  if (!uri) return undefined;
  const written: ReplyCase = { name, from: 'saved in the Parley lab', ...content };
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(writeYaml([written])));
  return { saved: nameOf(uri) };
}

/** The folder of existing cases, else the workspace. */
async function defaultFolder(): Promise<vscode.Uri | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) return undefined;
  const cases = vscode.Uri.joinPath(folder.uri, '.parley', 'cases');
  return vscode.workspace.fs.stat(cases).then(
    () => cases,
    () => folder.uri,
  );
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}
