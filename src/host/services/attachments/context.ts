import * as vscode from 'vscode';
import { noticeText, visibleName } from '../../../base/text';
import type { ContextItem, PathCompletion } from '../../../contract/chat';
import type { ResourceMention } from '../../../core/mentions';
import type { RulesFile } from '../../../core/run/instructions';
import { isPromptName, namedSkill } from '../../../core/slash-commands';
import { turnsOf } from '../../../core/transcript/history';
import type { Transcript } from '../../../core/transcript/transcript';
import type { GivenRules } from '../../../core/words/messages';
import type { Attachment, ImageAttachment, TextAttachment } from '../../../core/words/attachment';
import {
  findFolderRules,
  findRules,
  type FoundRules,
  type IgnoredRules,
} from '../../../node/files/rules-files';
import type { Place } from '../../../tools/ports/files';
import { byteSize, utf8Length } from '../../../tools/text/amounts';
import { virtualPath } from '../../platform/files/virtual-files';
import { windowFiles, windowFileAccess, type FileAccessParts } from '../../platform/files/window-files';
import { attachedPrompt, type ServerPorts } from '../mcp/attach-from-server';
import { translated } from '../../platform/translated';
import { attachMentions } from './attach-mentions';
import { completePath, type PathQuery } from './complete-path';
import { mentionsOf, type DroppedPaths } from './dropped-paths';
import { lookAtEditor, readSelection, type EditorLook, type SelectedText } from './editor-look';
import { stillSeen } from '../models/images';
import type { TerminalTails } from './terminal';

/** What is sent with a message besides its text. */
interface Sending extends OutgoingMessage, ServerPorts {
  readonly withEditor: boolean;
  readonly terminals: Pick<TerminalTails, 'of'>;
}

/**
 * Context of a message, as it is now: its mentions and the editor context. Nothing at all if the user chose not to
 * send it.
 */
export async function attachmentsFor(
  text: string,
  parts: FileAccessParts,
  { transcript, images, entry, withEditor, terminals, model, mcp, signal }: Sending,
): Promise<readonly Attachment[] | undefined> {
  const { files, search } = windowFiles(parts);
  const { isTrusted } = vscode.workspace;
  // The user may continue in the editor while questions are open: the context when they sent the message counts.
  const said = entry === undefined ? undefined : transcript.entries[entry];
  const look = withEditor && !said ? await lookAtEditor(files, { isTrusted }) : undefined;
  const shown = look ? fromEditor(look, transcript) : [];
  const kept = said?.type === 'user' ? said.attachments.filter(hasNoMention) : [];
  const confirmed = { confirm: mayAttach, confirmResource: mayReadResource };
  const ports = { files, search, terminals, isTrusted, model, mcp, signal, ...confirmed };
  const begun = await attachedCommand(text, parts, { mcp, model, signal });
  if (!begun) return undefined;
  const pasted = images.map((image) => stillSeen(image, model));
  const others = await attachMentions(text, ports, [...kept, ...begun, ...pasted]);
  // A selection that is also mentioned is sent once.
  const isNamed = ({ source, label }: TextAttachment): boolean =>
    source === 'selection' && others.some((each) => each.type === 'text' && each.label === label);
  return [...shown.filter((each) => !isNamed(each)), ...others];
}

export { pastedImage } from './attach-mentions';
export { completeResource } from '../mcp/mcp-in-chat';

/** The skill or server prompt at the start of a message. */
async function attachedCommand(
  text: string,
  parts: FileAccessParts,
  ports: ServerPorts,
): Promise<readonly Attachment[] | undefined> {
  const named = namedSkill(text);
  if (!named) return [];
  if (isPromptName(named.name)) return attachedPrompt(named.name, ports);
  return (await import('./skills')).attachedSkill(named, parts);
}

/** Attachments that a message sent again keeps, because its text does not name them. */
function hasNoMention(attachment: Attachment): boolean {
  if (attachment.type === 'image') return attachment.isPasted === true;
  return attachment.type === 'text' && (attachment.source === 'selection' || attachment.source === 'editor');
}

/** The selection is sent each time, because the message is about it; the names only if they changed. */
function fromEditor({ editor, open, selection }: EditorLook, transcript: Transcript): TextAttachment[] {
  const last = turnsOf(transcript)
    .flatMap((turn) => (turn.type === 'user' ? (turn.attachments ?? []) : []))
    .findLast((each) => each.type === 'text' && each.source === 'editor');
  const before = last?.type === 'text' ? last.text : undefined;
  const isNews = before === undefined ? open.length > 0 : before !== editor.text;
  return [...(isNews ? [editor] : []), ...(selection ? [readSelection(selection)] : [])];
}

/** Dropped items as mentions. */
export async function droppedMentions(
  uris: readonly string[],
  parts: FileAccessParts,
): Promise<DroppedPaths> {
  return mentionsOf(uris, windowFiles(parts).files);
}

export async function complete(
  query: PathQuery,
  parts: FileAccessParts,
  signal: AbortSignal,
): Promise<readonly PathCompletion[]> {
  const { roots, virtual, secretNames } = windowFileAccess(parts);
  const virtualRoots = virtual?.roots.map((root) => virtualPath(virtual.system, root)) ?? [];
  return completePath(
    query,
    { ...windowFiles(parts), roots: [...roots, ...virtualRoots], secretNames },
    signal,
  );
}

/** Rules files of the project. */
export async function rulesOf(parts: FileAccessParts): Promise<FoundRules> {
  return findRules({ ...windowFileAccess(parts), isTrusted: () => vscode.workspace.isTrusted });
}

/** Rules files of folders between the workspace folders and these paths. */
export async function folderRulesOf(
  places: readonly string[],
  given: () => readonly GivenRules[],
  parts: FileAccessParts,
  taken: number,
): Promise<readonly RulesFile[]> {
  const { isTrusted } = vscode.workspace;
  return findFolderRules(places, given, { ...windowFileAccess(parts), isTrusted: () => isTrusted, taken });
}

/** Context of a message that is sent now, for display. */
export async function contextItems(
  parts: FileAccessParts,
  { withEditor }: { readonly withEditor: boolean },
): Promise<readonly ContextItem[]> {
  const rules = await rulesOf(parts);
  const { files } = windowFiles(parts);
  const { isTrusted } = vscode.workspace;
  const look = withEditor ? await lookAtEditor(files, { isTrusted }) : undefined;
  return [
    ...rules.files.map(rulesItem),
    ...rules.ignored.map(ignoredItem),
    ...(look && look.open.length > 0 ? [editorItem(look)] : []),
    ...(look?.selection ? [selectionItem(look.selection)] : []),
  ];
}

function rulesItem({ name, folder, text, isCut }: RulesFile): ContextItem {
  const size = byteSize(utf8Length(text));
  const title = isCut
    ? vscode.l10n.t(
        '{0} in {1} is part of the instructions. It is too long, so only {2} are used.',
        name,
        folder,
        size,
      )
    : vscode.l10n.t('{0} in {1} is part of the instructions ({2}).', name, folder, size);
  return { source: 'rules', label: name, title };
}

function ignoredItem({ name, folder, problem }: IgnoredRules): ContextItem {
  const title = vscode.l10n.t('{0} in {1} is not used: {2}.', name, folder, translated(problem));
  return { source: 'rules', label: name, title, isProblem: true };
}

function editorItem({ editor, open }: EditorLook): ContextItem {
  const [first = ''] = open;
  const name = first.slice(first.lastIndexOf('/') + 1);
  return {
    source: 'editor',
    label: open.length === 1 ? name : vscode.l10n.t('{0} and {1} more', name, open.length - 1),
    title: vscode.l10n.t('Names of open files: {0}', editor.text),
  };
}

function selectionItem({ label }: Pick<SelectedText, 'label'>): ContextItem {
  return {
    source: 'selection',
    label: label.slice(label.lastIndexOf('/') + 1),
    title: vscode.l10n.t('Selected text: {0}', label),
  };
}

/** The question to the user about a path that the policy asks about. */
export function attachQuestion({ display, resolved, verdict }: Place): {
  readonly question: string;
  readonly detail: string;
} {
  const text = 'Send {0} to the model? Parley asks because: {1}.';
  return {
    question: vscode.l10n.t(text, display, translated(verdict.reason)),
    detail: visibleName(resolved),
  };
}

export async function mayAttach(place: Place): Promise<boolean> {
  return confirmsAttach(attachQuestion(place));
}

/** Whether a resource may be read that its server does not list. */
export async function mayReadResource({ server, uri }: ResourceMention): Promise<boolean> {
  const text = 'Read an unlisted resource from the MCP server {0} and send it to the model?';
  return confirmsAttach({ question: vscode.l10n.t(text, noticeText(server)), detail: noticeText(uri) });
}

async function confirmsAttach({ question, detail }: ReturnType<typeof attachQuestion>): Promise<boolean> {
  const attach = vscode.l10n.t('Attach');
  try {
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, attach)) === attach;
  } catch {
    // A window that cannot ask counts as a no, and does not block the message itself.
    return false;
  }
}

/** The conversation of a message. */
export interface OutgoingMessage {
  readonly transcript: Transcript;
  /** Images pasted for it. */
  readonly images: readonly ImageAttachment[];
  /** The message that it replaces. */
  readonly entry?: number | undefined;
}
