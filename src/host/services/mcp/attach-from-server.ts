import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { visibleText, withoutHiddenText } from '../../../base/text';
import type { ResourceMention } from '../../../core/mentions';
import type { Attachment, AttachmentSource } from '../../../core/words/attachment';
import { ToolError } from '../../../core/words/tool';
import { readForm } from '../../../mcp/form';
import { byteSize, utf8Length } from '../../../tools/text/amounts';
import { stillSeen, type SeeingModel } from '../models/images';
import type { FromServer, McpInChat, McpPrompt } from './mcp-in-chat';

export interface ServerPorts {
  /** The servers, once their state is known; nothing if this window has none. */
  readonly mcp: () => Promise<McpInChat | undefined>;
  readonly model: SeeingModel;
  /** Aborts when the message is no longer sent. */
  readonly signal: AbortSignal;
}

export interface ResourcePorts extends ServerPorts {
  /** Asks the user whether a resource may be read that its server does not list. */
  readonly confirmResource: (resource: ResourceMention) => Promise<boolean>;
}

/**
 * Text of the prompt at the start of a message. Nothing if the user cancels its questions: then the message is not
 * sent either.
 */
export async function attachedPrompt(
  command: string,
  { model, signal, ...ports }: ServerPorts,
): Promise<readonly Attachment[] | undefined> {
  const label = `/${command}`;
  const mcp = await ports.mcp();
  const prompt = mcp?.prompts().find((each) => each.command === command);
  if (!mcp || !prompt) {
    const text = 'No running MCP server has this prompt. Type / and pick one, or start its server.';
    return [missing(label, vscode.l10n.t(text))];
  }
  const args = await argumentsOf(prompt, mcp, signal);
  if (!args) return undefined;
  if ('refusal' in args) return [missing(label, args.refusal)];
  const { server, name } = prompt;
  const read = await handedOver(server, () => mcp.expandPrompt(prompt, args.values, signal), signal);
  if (typeof read === 'string') return [missing(label, read)];
  const from = `Prompt ${visibleText(name)} of the MCP server ${visibleText(server)}:`;
  const text = read.text === '' ? '' : `${from}\n\n${read.text}`;
  return attachments({ ...read, text }, { source: 'prompt', label, model });
}

/**
 * A resource mentioned in a message. Text is inserted, too; for a resource that its server does not list, the user is
 * asked.
 */
export async function attachedResource(
  mention: ResourceMention,
  { model, signal, ...ports }: ResourcePorts,
): Promise<readonly Attachment[]> {
  const { server, uri } = mention;
  const mcp = await ports.mcp();
  const label = visibleText(`${server}: ${uri}`);
  const isListed = mcp?.resources().some((each) => each.server === server && each.uri === uri) === true;
  if (mcp?.isRunning(server) === true && !isListed && !(await ports.confirmResource(mention))) {
    return [
      missing(
        label,
        vscode.l10n.t('The server does not list it, and you did not allow it. Send it again to be asked.'),
      ),
    ];
  }
  const read = mcp
    ? await handedOver(server, () => mcp.readResource(server, uri, signal), signal)
    : notRunning(server);
  if (typeof read === 'string') return [missing(label, read)];
  return attachments(read, { source: 'resource', label, model });
}

interface Refused {
  /** As a sentence. */
  readonly refusal: string;
}

/** The required arguments of the prompt; nothing if the user cancels. */
async function argumentsOf(
  { server, required, description }: McpPrompt,
  mcp: McpInChat,
  signal: AbortSignal,
): Promise<{ readonly values: Readonly<Record<string, string>> } | Refused | undefined> {
  if (required.length === 0) return { values: {} };
  const properties = required.map(({ name, description: about }) => {
    return [name, { type: 'string', ...(about !== undefined && { description: about }) }] as const;
  });
  // By the same rules as questions of the server itself.
  const form = readForm({
    mode: 'form',
    message: description,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      required: required.map(({ name }) => name),
    },
  });
  if ('refusal' in form) {
    const text =
      'The prompt asks for a secret, or has too many arguments, so it was not used. Write the message yourself.';
    return { refusal: vscode.l10n.t(text) };
  }
  const answer = await mcp.ask(server, form, signal);
  if (answer.action !== 'accept') return undefined;
  const said = Object.entries(answer.content).map(([key, value]) => [key, String(value)] as const);
  return { values: Object.fromEntries(said) };
}

/** Or why it failed, as a sentence. */
async function handedOver(
  server: string,
  read: () => Promise<FromServer>,
  signal: AbortSignal,
): Promise<FromServer | string> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) return notRunning(server);
    const said = visibleText(error instanceof Error ? error.message : String(error));
    const text = 'The MCP server {0} did not return it: {1}';
    return vscode.l10n.t(text, visibleText(server), said.replace(/\s+/g, ' ').slice(0, MOST_SAID));
  }
}

/** Maximum characters of a server's error message. */
const MOST_SAID = 300;

function notRunning(server: string): string {
  const text = 'The MCP server {0} is not running. Start it in the Tools view and send the message again.';
  return vscode.l10n.t(text, visibleText(server));
}

interface As {
  readonly source: AttachmentSource;
  readonly label: string;
  readonly model: SeeingModel;
}

function attachments({ text, images }: FromServer, { source, label, model }: As): readonly Attachment[] {
  if (text === '' && images.length === 0) {
    return [missing(label, vscode.l10n.t('It contains no text and no supported image. Choose another one.'))];
  }
  const shown = withoutHiddenText(text);
  const size = utf8Length(shown);
  const [has, most] = [size, limits.attachedFileBytes].map(byteSize);
  const said: readonly Attachment[] =
    size > limits.attachedFileBytes
      ? [missing(label, vscode.l10n.t('It has {0}; the limit is {1}.', has ?? '', most ?? ''))]
      : [{ type: 'text', source, label, text: shown }];
  return [
    ...(text === '' ? [] : said),
    ...images.map((image) => stillSeen({ type: 'image', label, image }, model)),
  ];
}

function missing(label: string, problem: string): Attachment {
  return { type: 'missing', label, problem };
}
