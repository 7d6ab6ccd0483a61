import * as vscode from 'vscode';
import type { PathCompletion } from '../../contract/chat';
import type { Attachment, TextAttachment } from '../../core/attachment';
import { turnsOf } from '../../core/history';
import { isPromptName, namedSkill } from '../../core/slash-commands';
import type { Transcript } from '../../core/transcript';
import { mayAttach, mayReadResource } from './attach-question';
import { attachMentions } from './attach-mentions';
import { completePath, type PathQuery } from './complete-path';
import { mentionsOf as mentionsOfUris, type DroppedPaths } from './dropped-paths';
import { lookAtEditor, readSelection, type EditorLook } from './editor-look';
import { attachedPrompt, type ServerPorts } from '../mcp/attach-from-server';
import { stillSeen } from './seen-image';
import type { TerminalTails } from './terminal-tails';
import { virtualPath } from '../files/virtual-path';
import type { SentAlong } from './window-context';
import { windowFiles } from '../files/window-files';
import { windowPlaces, type PlaceParts } from '../files/window-places';

/** What a message is sent with, besides its text. */
interface Sending extends SentAlong, ServerPorts {
  readonly withEditor: boolean;
  readonly terminals: Pick<TerminalTails, 'of'>;
}

/**
 * What goes along with a message, as it is now: what it names, and what the editor shows. Nothing at all where the user
 * would rather not send it.
 */
export async function attachmentsFor(
  text: string,
  parts: PlaceParts,
  { transcript, images, entry, withEditor, terminals, model, mcp, signal }: Sending,
): Promise<readonly Attachment[] | undefined> {
  const { files, search } = windowFiles(parts);
  const { isTrusted } = vscode.workspace;
  // The user may go on in the editor while questions are asked: what was shown when they sent it counts.
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
  // Who names what is selected means it once.
  const isNamed = ({ source, label }: TextAttachment): boolean =>
    source === 'selection' && others.some((each) => each.type === 'text' && each.label === label);
  return [...shown.filter((each) => !isNamed(each)), ...others];
}

export { pastedImage } from './attach-mentions';
export { contextItems, rulesOf } from './context-items';
export { completeResource } from '../mcp/complete-resource';

/** The skill, or the prompt of a server, that a message begins with. */
async function attachedCommand(
  text: string,
  parts: PlaceParts,
  ports: ServerPorts,
): Promise<readonly Attachment[] | undefined> {
  const named = namedSkill(text);
  if (!named) return [];
  if (isPromptName(named.name)) return attachedPrompt(named.name, ports);
  return (await import('./skills')).attachedSkill(named, parts);
}

/** What a message that is sent again keeps as it was, because its text does not name it. */
function hasNoMention(attachment: Attachment): boolean {
  if (attachment.type === 'image') return attachment.isPasted === true;
  return attachment.type === 'text' && (attachment.source === 'selection' || attachment.source === 'editor');
}

/** The selection each time, because it is what the message is about; the names only where they have changed. */
function fromEditor({ editor, open, selection }: EditorLook, transcript: Transcript): TextAttachment[] {
  const last = turnsOf(transcript)
    .flatMap((turn) => (turn.type === 'user' ? (turn.attachments ?? []) : []))
    .findLast((each) => each.type === 'text' && each.source === 'editor');
  const before = last?.type === 'text' ? last.text : undefined;
  const isNews = before === undefined ? open.length > 0 : before !== editor.text;
  return [...(isNews ? [editor] : []), ...(selection ? [readSelection(selection)] : [])];
}

/** What was dropped, as mentions. */
export async function mentionsOf(uris: readonly string[], parts: PlaceParts): Promise<DroppedPaths> {
  return mentionsOfUris(uris, windowFiles(parts).files);
}

export async function complete(
  query: PathQuery,
  parts: PlaceParts,
  signal: AbortSignal,
): Promise<readonly PathCompletion[]> {
  const { roots, virtual, secretNames } = windowPlaces(parts);
  const virtualRoots = virtual?.roots.map((root) => virtualPath(virtual.system, root)) ?? [];
  return completePath(
    query,
    { ...windowFiles(parts), roots: [...roots, ...virtualRoots], secretNames },
    signal,
  );
}
