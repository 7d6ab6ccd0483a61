import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { never } from '../../../base/never';
import { visibleText, withoutHiddenText } from '../../../base/text';
import { readMentions, type LineRange, type Mention, type MentionReading } from '../../../core/mentions';
import type { Attachment, ImageAttachment, MissingAttachment } from '../../../core/words/attachment';
import { ToolError } from '../../../core/words/tool';
import { readImage } from '../../../node/files/images';
import { folderTree } from '../../../tools/files/folder-tree';
import { meantPaths } from '../../../tools/files/paths';
import type { Files, Place } from '../../../tools/ports/files';
import type { Search } from '../../../tools/ports/search';
import { byteSize, utf8Length } from '../../../tools/text/amounts';
import { attachedResource, type ResourcePorts } from '../mcp/attach-from-server';
import { lineSpan, problemsAttachment } from './editor-look';
import { bytesProblem, imageProblem, noImage, type SeeingModel } from '../models/images';
import { terminalAttachment, type TerminalTails } from './terminal';

export interface MentionPorts extends ResourcePorts {
  readonly files: Files;
  readonly search: Search;
  readonly terminals: Pick<TerminalTails, 'of'>;
  readonly isTrusted: boolean;
  /** Asks the user whether a path may be attached if the policy says ask. */
  readonly confirm: (place: Place) => Promise<boolean>;
  /** Limit for all searches of one message, if not the default. */
  readonly searchMs?: number;
}

type Ports = MentionPorts & { readonly time: SearchTime };

/**
 * Attaches the current content of the message's mentions, in order, after what is there: one attachment each, or
 * several if a resource has several images.
 */
export async function attachMentions(
  text: string,
  ports: MentionPorts,
  before: readonly Attachment[] = [],
): Promise<Attachment[]> {
  const readings = readMentions(text);
  const time = new SearchTime(ports.searchMs ?? limits.attachedSearchMs);
  const attached: Attachment[] = [];
  for (const each of before) attached.push(withinLimits(each, attached));
  for (const reading of readings.slice(0, limits.messageMentions)) {
    // Do not ask about a message that is no longer sent.
    ports.signal.throwIfAborted();
    const mention = await meant(reading, ports.files);
    const found = await attach(mention, { ...ports, time }).catch((error: unknown) => {
      if (!(error instanceof ToolError)) throw error;
      return missing(labelOf(mention), error.message);
    });
    for (const each of [found].flat()) attached.push(withinLimits(each, attached));
  }
  for (const { mention } of readings.slice(limits.messageMentions)) {
    const text = vscode.l10n.t(
      'A message can have at most {0} mentions. Send the rest with the next message.',
      limits.messageMentions,
    );
    attached.push(missing(labelOf(mention), text));
  }
  return attached;
}

/** The file of the longer name, if there is one. */
async function meant({ mention, whole }: MentionReading, files: Files): Promise<Mention> {
  if (whole === undefined || !('path' in whole)) return mention;
  try {
    return (await files.stat(await files.resolve(whole.path, 'read'))) ? whole : mention;
  } catch (error) {
    if (error instanceof ToolError) return mention;
    throw error;
  }
}

/**
 * An image pasted for the next message, added to the others, or why it is rejected. Its type is read from its bytes,
 * not from the caller.
 */
export function pastedImage(
  { name, bytes }: { readonly name: string; readonly bytes: Buffer },
  before: readonly ImageAttachment[],
  model: SeeingModel,
): ImageAttachment | MissingAttachment {
  const label = name === '' ? vscode.l10n.t('Pasted image') : visibleText(name);
  if (bytes.length > limits.imageBytes) {
    const most = byteSize(limits.imageBytes);
    return missing(label, vscode.l10n.t('The image is too large. The limit is {0}.', most));
  }
  const problem = bytesProblem(bytes, model);
  const facts = readImage(bytes);
  if (problem !== undefined || !facts) return missing(label, problem ?? noImage());
  const { mediaType } = facts;
  const image: ImageAttachment = {
    ...{ type: 'image', label, isPasted: true },
    image: { mediaType, data: bytes.toString('base64') },
  };
  const tooMany = tooMuch(image, [...before, image]);
  return tooMany === undefined ? image : missing(label, tooMany);
}

async function attach(mention: Mention, ports: Ports): Promise<Attachment | readonly Attachment[]> {
  switch (mention.type) {
    case 'file':
      return attachFile(mention, ports);
    case 'folder':
      return attachFolder(mention.path, ports);
    case 'problems':
      return problemsAttachment(ports.files);
    case 'terminal':
      return terminalAttachment(ports.terminals);
    case 'resource':
      return attachedResource(mention, ports);
    default:
      return never(mention);
  }
}

async function attachFile(
  { path, lines }: Mention & { readonly type: 'file' },
  ports: Ports,
): Promise<Attachment> {
  const { files, model } = ports;
  const place = await files.resolve(path, 'read');
  const label = place.display;
  const refused = await refusal(place, ports);
  if (refused !== undefined) return missing(label, refused);
  const info = await files.stat(place);
  if (!info) return missing(label, await notFound(place, 'file', ports));
  if (info.kind !== 'file') {
    return missing(label, vscode.l10n.t('This is not a file. Use @folder for folders.'));
  }
  if (lines) return attachLines(place, info.size, lines, files);
  const image = await files.readImage(place);
  if (!image) return attachText(place, info.size, files);
  const problem = imageProblem(image, model);
  if (problem !== undefined) return missing(label, problem);
  return { type: 'image', label, image: image.image };
}

async function attachText(place: Place, size: number, files: Files): Promise<Attachment> {
  const label = place.display;
  if (size > limits.attachedFileBytes) return missing(label, tooLarge(size));
  try {
    // Unsaved text of the editor, if the file is open.
    const text = withoutHiddenText((await files.readText(place)).text);
    const length = utf8Length(text);
    return length > limits.attachedFileBytes
      ? missing(label, tooLarge(length))
      : { type: 'text', source: 'file', label, text };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const problem = vscode.l10n.t(
      'This file is not text. Use a text file, or a PNG, JPEG, GIF or WebP image.',
    );
    return missing(label, problem);
  }
}

/** A part of a file that may be too large to attach as a whole. */
async function attachLines(
  place: Place,
  size: number,
  { first, last }: LineRange,
  files: Files,
): Promise<Attachment> {
  const label = place.display;
  if (size > limits.readWholeFileBytes) return missing(label, tooLarge(size));
  const { text } = await files.readText(place);
  const all = text.split('\n');
  const isClosed = all.length > 1 && all.at(-1) === '';
  const count = isClosed ? all.length - 1 : all.length;
  if (first > count) {
    const problem = vscode.l10n.t('The file has only {0} lines. Fix or omit the range.', count);
    return missing(label, problem);
  }
  const end = Math.min(last, count);
  const excerpt = withoutHiddenText(all.slice(first - 1, end).join('\n'));
  const length = utf8Length(excerpt);
  return length > limits.attachedFileBytes
    ? missing(label, tooLarge(length))
    : { type: 'text', source: 'file', label: `${label}:${lineSpan(first, end)}`, text: excerpt };
}

async function attachFolder(path: string, ports: Ports): Promise<Attachment> {
  const { files, search, time } = ports;
  const place = await files.resolve(path, 'list');
  const label = place.display.endsWith('/') ? place.display : `${place.display}/`;
  const refused = await refusal(place, ports);
  if (refused !== undefined) return missing(label, refused);
  const info = await files.stat(place);
  if (!info) return missing(label, await notFound(place, 'folder', ports));
  if (info.kind !== 'folder') {
    return missing(label, vscode.l10n.t('This is not a folder. Use @file for files.'));
  }
  const options = {
    depth: limits.attachedFolderDepth,
    most: limits.attachedFolderEntries,
    includeIgnored: false,
  };
  const text = await time.use((signal) => folderTree(place, { files, search }, options, signal));
  if (text === undefined) {
    return missing(label, vscode.l10n.t('Reading it took too long. Use a smaller folder.'));
  }
  return { type: 'text', source: 'folder', label, text };
}

/** Why a path is not attached, after asking the user if the policy says so. */
async function refusal(place: Place, { isTrusted, confirm }: MentionPorts): Promise<string | undefined> {
  const { decision, isOutside } = place.verdict;
  if (isOutside === true && !isTrusted) {
    return vscode.l10n.t('This is outside the untrusted workspace. Trust the workspace first.');
  }
  if (decision === 'auto' || (decision === 'ask' && (await confirm(place)))) return undefined;
  return vscode.l10n.t('You did not allow it. Send it again to be asked.');
}

async function notFound(
  place: Place,
  what: 'file' | 'folder',
  { files, search, time }: Ports,
): Promise<string> {
  const isOpen = place.verdict.decision === 'auto';
  const meant = isOpen
    ? await time.use((signal) => meantPaths(place, what, { files, search }, signal))
    : undefined;
  return meant && meant.length > 0
    ? vscode.l10n.t('Not found. Did you mean {0}?', meant.join(', '))
    : vscode.l10n.t('Not found. Check the path, or type @ and pick a file.');
}

function tooLarge(size: number): string {
  const [has, text, image] = [size, limits.attachedFileBytes, limits.imageBytes].map(byteSize);
  return vscode.l10n.t(
    'It has {0}; the limit is {1} for text, {2} for images. Ask about it: the model can read parts of it.',
    has ?? '',
    text ?? '',
    image ?? '',
  );
}

/** There is also a limit for all attachments of a message. */
function withinLimits(attachment: Attachment, before: readonly Attachment[]): Attachment {
  const problem = tooMuch(attachment, [...before, attachment]);
  return problem === undefined ? attachment : missing(attachment.label, problem);
}

function tooMuch({ type }: Attachment, all: readonly Attachment[]): string | undefined {
  const images = all.flatMap((each) => (each.type === 'image' ? [each.image] : []));
  if (type === 'image' && images.length > limits.attachedImages) {
    const text = 'A message can have at most {0} images. Send the rest with the next message.';
    return vscode.l10n.t(text, limits.attachedImages);
  }
  const imageBytes = images.reduce((sum, { data }) => sum + Buffer.byteLength(data, 'base64'), 0);
  if (type === 'image' && imageBytes > limits.attachedImageBytes) {
    const text = 'A message can have at most {0} of images. Send the rest with the next message.';
    return vscode.l10n.t(text, byteSize(limits.attachedImageBytes));
  }
  const textBytes = all.reduce((sum, each) => sum + (each.type === 'text' ? utf8Length(each.text) : 0), 0);
  if (type === 'text' && textBytes > limits.attachedTextBytes) {
    const text = 'A message can have at most {0} of attached text. Send the rest with the next message.';
    return vscode.l10n.t(text, byteSize(limits.attachedTextBytes));
  }
  return undefined;
}

function missing(label: string, problem: string): MissingAttachment {
  return { type: 'missing', label, problem };
}

function labelOf(mention: Mention): string {
  if (mention.type === 'resource') return visibleText(`${mention.server}: ${mention.uri}`);
  return 'path' in mention ? visibleText(mention.path) : `@${mention.type}`;
}

/** Time shared by several searches. Time between them, such as a question to the user, does not count. */
class SearchTime {
  constructor(
    /** Milliseconds. */
    private left: number,
  ) {}

  /** Nothing if time ran out first. */
  async use<T>(search: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.left <= 0) return undefined;
    const signal = AbortSignal.timeout(this.left);
    const begin = performance.now();
    try {
      return await search(signal);
    } catch (error) {
      if (signal.aborted && error === signal.reason) return undefined;
      throw error;
    } finally {
      this.left = Math.max(0, Math.floor(this.left - (performance.now() - begin)));
    }
  }
}
