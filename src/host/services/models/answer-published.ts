import { withClientFields } from '../../../models/apis/client-fields';
import * as vscode from 'vscode';
import { openUpstream } from '../../../agent/gateway-backend';
import type { JsonObject } from '../../../base/json';
import { wellFormedSchema } from '../../../core/words/schema';
import type { ToolSpec } from '../../../core/words/tool';
import {
  conversationOf,
  type ApiMessage,
  type ApiPart,
  type ApiToolCall,
} from '../../../gateway/api-messages';
import type { GatewayRequest } from '../../../gateway/gateway-request';
import { relay, type GatewayEvent } from '../../../gateway/relay';
import type { ServedRequests } from '../../../gateway/served-requests';
import type { ModelProfile } from '../../../models/profiles';
import { countTokens } from '../../../node/tokens';
import { translated } from '../../platform/translated';
import type { Secrets } from '../../platform/secrets';
import type { SettingsStore } from '../../platform/settings';
import type { ModelServers } from './model-servers';
import type { ThinkingApi } from './vscode-thinking';

export interface PublishingParts {
  readonly settings: SettingsStore;
  readonly secrets: Secrets;
  readonly servers: ModelServers;
  readonly served: ServedRequests;
}

/** A request of VS Code to a published model, and where the reply goes. */
interface PublishedRequest {
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly progress: vscode.Progress<vscode.LanguageModelResponsePart>;
  readonly token: vscode.CancellationToken;
}

/** Answers a request of VS Code, or of an extension through it. Throws messages for the user. */
export async function answerPublished(
  given: ModelProfile,
  { secrets, servers, served }: PublishingParts,
  { messages, options, progress, token }: PublishedRequest,
): Promise<void> {
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => stop.abort());
  if (token.isCancellationRequested) stop.abort();
  const profile = withOptions(given, options.modelOptions);
  const { windowAccess } = await import('./open-in-window');
  const access = windowAccess({ secrets, facts: servers.facts });
  const upstream = await openUpstream({ profile, access, countTokens, protocol: 'auto' }, 'chat');
  try {
    const events = relay(requestOf(messages, options), upstream, stop.signal);
    for await (const event of served.watch(events, { door: 'vscode', model: upstream.model.name })) {
      if (event.type === 'failure') throw new Error(translated(event.failure.message));
      const part = partOf(event);
      if (part) progress.report(part);
    }
  } finally {
    listening.dispose();
  }
}

/** Approximate tokens of a text or a message. */
export function countPublished(text: string | vscode.LanguageModelChatRequestMessage): number {
  if (typeof text === 'string') return countTokens(text);
  return text.content
    .map((part) => countTokens(textOf(part) ?? JSON.stringify(part)))
    .reduce((sum, each) => sum + each, 0);
}

/** Options of a caller go to the server like those of the profile. */
function withOptions(profile: ModelProfile, options: Readonly<Record<string, unknown>> = {}): ModelProfile {
  // SAFETY: data between extensions is plain.
  const given = options as JsonObject;
  return Object.keys(given).length === 0 ? profile : withClientFields(profile, given).profile;
}

function requestOf(
  messages: PublishedRequest['messages'],
  { tools = [], toolMode }: PublishedRequest['options'],
): GatewayRequest {
  const offered = tools.map(({ name, description, inputSchema }): ToolSpec => {
    return { name, description, parameters: wellFormedSchema(inputSchema ?? {}) };
  });
  return {
    ...conversationOf(messages.flatMap(apiMessages)),
    tools: offered,
    needsCall: toolMode === vscode.LanguageModelChatToolMode.Required && offered.length > 0,
    isSingle: false,
    stop: [],
  };
}

/** One VS Code message may have results and text, which are separate messages in the API. */
function apiMessages({ role, content }: vscode.LanguageModelChatRequestMessage): ApiMessage[] {
  const parts = content.flatMap(apiPart);
  if (role === vscode.LanguageModelChatMessageRole.Assistant) {
    const calls = content.flatMap(apiCall);
    return [{ role: 'assistant', content: parts, ...(calls.length > 0 && { tool_calls: calls }) }];
  }
  const results = content.flatMap(resultMessage);
  const said: ApiMessage[] =
    parts.length === 0 ? [] : [{ role: isUser(role) ? 'user' : 'system', content: parts }];
  return [...results, ...said];
}

/** There is a third role, for instructions, that not every version names. */
function isUser(role: number): boolean {
  return role === vscode.LanguageModelChatMessageRole.User.valueOf();
}

function apiCall(part: unknown): ApiToolCall[] {
  if (!(part instanceof vscode.LanguageModelToolCallPart)) return [];
  const { callId: id, name, input } = part;
  return [{ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }];
}

function resultMessage(part: unknown): ApiMessage[] {
  if (!(part instanceof vscode.LanguageModelToolResultPart)) return [];
  const content = part.content.flatMap(apiPart);
  return [{ role: 'tool', tool_call_id: part.callId, content }];
}

/** Text, or an image; nothing for anything else. */
function apiPart(part: unknown): ApiPart[] {
  const text = textOf(part);
  if (text !== undefined) return [{ type: 'text', text }];
  const image = dataOf(part);
  if (!image) return [];
  const { mimeType, data } = image;
  if (mimeType.startsWith('image/')) {
    const url = `data:${mimeType};base64,${Buffer.from(data).toString('base64')}`;
    return [{ type: 'image_url', image_url: { url } }];
  }
  return /^text\/|json/.test(mimeType) ? [{ type: 'text', text: Buffer.from(data).toString('utf8') }] : [];
}

function textOf(part: unknown): string | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  // Prompt parts that an extension wrote in TSX nest their text.
  return part instanceof vscode.LanguageModelPromptTsxPart ? JSON.stringify(part.value) : undefined;
}

/** Newer versions of VS Code have a class for it. */
function dataOf(part: unknown): { readonly mimeType: string; readonly data: Uint8Array } | undefined {
  if (typeof part !== 'object' || part === null || !('mimeType' in part) || !('data' in part))
    return undefined;
  const { mimeType, data } = part;
  return typeof mimeType === 'string' && data instanceof Uint8Array ? { mimeType, data } : undefined;
}

function partOf(event: GatewayEvent): vscode.LanguageModelResponsePart | undefined {
  switch (event.type) {
    case 'text':
      return new vscode.LanguageModelTextPart(event.text);
    case 'call':
      return new vscode.LanguageModelToolCallPart(event.call.id, event.call.name, {
        ...event.call.arguments,
      });
    case 'reasoning': {
      const { LanguageModelThinkingPart } = vscode as ThinkingApi;
      // SAFETY: VS Code accepts it wherever it accepts text.
      return (
        LanguageModelThinkingPart &&
        (new LanguageModelThinkingPart(event.text) as vscode.LanguageModelTextPart)
      );
    }
    default:
      return undefined;
  }
}
