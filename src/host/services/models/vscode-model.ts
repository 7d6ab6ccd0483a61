import * as vscode from 'vscode';
import { orAborted } from '../../../base/async';
import { isJsonObject, type JsonObject } from '../../../base/json';
import { readJson } from '../../../base/json-reader';
import { redact } from '../../../base/redact';
import type { Image } from '../../../core/words/attachment';
import type { ChatMessage, Model, ModelDelta, ModelFailure, ModelRequest } from '../../../core/words/model';
import { Watchdog } from '../../../models/exchange/watchdog';
import { carriedBy, thinkingParts, thinkingOf, thinkingText, type ThinkingApi } from './vscode-thinking';

interface VsCodeModelOptions {
  /** Display name. */
  readonly name: string;
  /** `vendor/family` or `vendor/id`. */
  readonly model: string;
}

/**
 * A model that VS Code offers to extensions. Its provider may ask the user first; a run counts as the user's action.
 */
export function vsCodeModel(options: VsCodeModelOptions): Model {
  return { name: options.name, stream: (request, signal) => stream(options, request, signal) };
}

async function* stream(
  options: VsCodeModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelDelta, void, undefined> {
  const cancellation = new vscode.CancellationTokenSource();
  const cancel = (): void => cancellation.cancel();
  signal.addEventListener('abort', cancel);
  let watchdog: Watchdog | undefined;
  try {
    // A provider may ignore a cancellation; it is not waited for anyway.
    const model = await orAborted(findChatModel(options.model), signal);
    if (!model) {
      yield { type: 'failure', failure: notFound(options) };
      return;
    }
    const messages = chatMessages(request.messages, options.model);
    // The user may be reading a consent dialog, so no timeout applies yet.
    const response = await orAborted(
      model.sendRequest(messages, requestOptions(request), cancellation.token),
      signal,
    );
    watchdog = new Watchdog(signal);
    watchdog.connected();
    let calls = 0;
    const thinking: JsonObject[] = [];
    const parts = response.stream[Symbol.asyncIterator]();
    for (;;) {
      const part = await orAborted(parts.next(), watchdog.signal);
      if (part.done) break;
      watchdog.began();
      if (part.value instanceof vscode.LanguageModelTextPart) {
        yield { type: 'text', text: part.value.value };
      } else if (part.value instanceof vscode.LanguageModelToolCallPart) {
        const { callId: id, name, input } = part.value;
        yield { type: 'tool-call', index: calls++, id, name, arguments: JSON.stringify(input) };
      } else {
        const thinkingPart = thinkingOf(part.value, vscode as ThinkingApi);
        if (!thinkingPart) continue;
        thinking.push(thinkingPart);
        yield { type: 'reasoning', text: thinkingText(thinkingPart) };
      }
    }
    if (thinking.length > 0) yield { type: 'carried', carried: carriedBy(options.model, thinking) };
    yield { type: 'end', reason: calls > 0 ? 'tool-calls' : 'stop' };
  } catch (error) {
    // Providers are other extensions: whatever they throw is their error.
    if (signal.aborted) return;
    yield { type: 'failure', failure: watchdog?.expired ? tooSlow(options) : explain(error, options) };
  } finally {
    signal.removeEventListener('abort', cancel);
    watchdog?.stop();
    cancellation.cancel();
    cancellation.dispose();
  }
}

/** The model of that vendor with this id, else of this family. Looks it up without asking the user. */
async function findChatModel(wanted: string): Promise<vscode.LanguageModelChat | undefined> {
  const slash = wanted.indexOf('/');
  const name = wanted.slice(slash + 1);
  const models = await vscode.lm.selectChatModels(slash < 0 ? {} : { vendor: wanted.slice(0, slash) });
  return models.find(({ id }) => id === name) ?? models.find(({ family }) => family === name);
}

/** There is no role for instructions, so they become the first user message. */
function chatMessages(messages: readonly ChatMessage[], model: string): vscode.LanguageModelChatMessage[] {
  const all: vscode.LanguageModelChatMessage[] = [];
  let results: vscode.LanguageModelToolResultPart[] | undefined;
  for (const message of messages) {
    if (message.role === 'tool') {
      const text = new vscode.LanguageModelTextPart(message.content);
      const result = new vscode.LanguageModelToolResultPart(message.toolCallId, [text]);
      // Results of one reply are one message, as providers expect.
      if (results) results.push(result);
      else all.push(vscode.LanguageModelChatMessage.User((results = [result])));
      continue;
    }
    results = undefined;
    if (message.role === 'assistant') all.push(assistantMessage(message, model));
    else all.push(userMessage(message));
  }
  return all;
}

/** VS Code supports images from 1.106 on; an older one gets only the text. */
function userMessage(
  message: Exclude<ChatMessage, { role: 'assistant' | 'tool' }>,
): vscode.LanguageModelChatMessage {
  const images = message.role === 'user' ? (message.images ?? []) : [];
  const parts = images.flatMap((image) => imagePart(image) ?? []);
  if (parts.length === 0) return vscode.LanguageModelChatMessage.User(message.content);
  return vscode.LanguageModelChatMessage.User([new vscode.LanguageModelTextPart(message.content), ...parts]);
}

function assistantMessage(
  { content, toolCalls = [], carried }: ChatMessage & { readonly role: 'assistant' },
  model: string,
): vscode.LanguageModelChatMessage {
  const calls = toolCalls.map(
    ({ id, name, arguments: args }) => new vscode.LanguageModelToolCallPart(id, name, objectOf(args)),
  );
  const text = content === '' && calls.length > 0 ? [] : [new vscode.LanguageModelTextPart(content)];
  return vscode.LanguageModelChatMessage.Assistant([
    ...thinkingParts(carried, model, vscode as ThinkingApi),
    ...text,
    ...calls,
  ]);
}

function objectOf(json: string): object {
  const read = readJson(json);
  return read.ok && isJsonObject(read.value) ? read.value : {};
}

function requestOptions({ tools }: ModelRequest): vscode.LanguageModelChatRequestOptions {
  return {
    justification: vscode.l10n.t('Parley sends your messages and tool results to this model.'),
    ...(tools && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        inputSchema: { ...parameters },
      })),
    }),
  };
}

function explain(error: unknown, options: VsCodeModelOptions): ModelFailure {
  const { name } = options;
  const said = detail(error);
  switch (error instanceof vscode.LanguageModelError ? error.code : '') {
    case vscode.LanguageModelError.NoPermissions.name: {
      const text = 'Parley has no permission to use {0}. Send the message again and allow access.';
      return { code: 'forbidden', message: vscode.l10n.t(text, name) };
    }
    case vscode.LanguageModelError.NotFound.name:
      return notFound(options);
    case vscode.LanguageModelError.Blocked.name: {
      const text = '{0} accepts no more requests for now{1} Check your quota, or pick another model.';
      return { code: 'rate-limited', message: vscode.l10n.t(text, name, said) };
    }
    default: {
      if (TOO_LONG.test(said)) {
        const text =
          'The conversation is too long for {0}. Continue with a summary of the older messages, or pick a model with a larger window.';
        return { code: 'too-long', message: vscode.l10n.t(text, name) };
      }
      const text = '{0} failed{1} Send the message again, or pick another model.';
      return { code: 'server-error', message: vscode.l10n.t(text, name, said) };
    }
  }
}

/** Error codes of VS Code's own models. */
const TOO_LONG = /exceeds (?:the )?token limit|context length|prompt is too long/i;

function notFound({ model }: VsCodeModelOptions): ModelFailure {
  const text =
    'VS Code does not offer the model "{0}" now. Pick another one, or sign in with the extension that provides it.';
  return { code: 'not-found', message: vscode.l10n.t(text, model) };
}

function tooSlow({ name }: VsCodeModelOptions): ModelFailure {
  const text = '{0} stopped responding. Send the message again, or pick another model.';
  return { code: 'timed-out', message: vscode.l10n.t(text, name) };
}

/** The provider's own message: shortened, on one line, without anything that looks like a key. */
function detail(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message.replace(/\s+/g, ' ').trim() : '';
  if (text === '') return '.';
  const safe = redact(text, []);
  return `: ${safe.length > 300 ? `${safe.slice(0, 300)}…` : safe.replace(/\.$/, '')}.`;
}

interface DataParts {
  readonly LanguageModelDataPart?: {
    image(data: Uint8Array, mime: string): vscode.LanguageModelTextPart;
  };
}

/** Whether this VS Code passes images to models: from 1.106 on. */
export function knowsImages(): boolean {
  return (vscode as DataParts).LanguageModelDataPart !== undefined;
}

/** Typed as a text part because our minimum API knows no other; nothing if there is no such part yet. */
export function imagePart({ data, mediaType }: Image): vscode.LanguageModelTextPart | undefined {
  return (vscode as DataParts).LanguageModelDataPart?.image(Buffer.from(data, 'base64'), mediaType);
}
