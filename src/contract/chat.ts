// The small edition: the host loads this at activation.
import * as z from 'zod/mini';
import type { SlashCommand } from '../core/slash-commands';
import type { EarlierMessage } from '../core/transcript/references';
import type { AgentEvent } from '../core/words/events';
import { CallToHost } from './calls';
import { most } from './most';

// The help is the page's own.
const hostCommands = [
  'new',
  'compact',
  'model',
  'protocol',
  'agent',
  'tools',
  'export',
  'sandbox',
] as const satisfies readonly Exclude<SlashCommand, 'help'>[];
export type HostCommand = (typeof hostCommands)[number];

const pickerIds = ['model', 'protocol', 'mode', 'agent'] as const;
export type PickerId = (typeof pickerIds)[number];

const modelOrigins = ['vscode', 'local', 'endpoint', 'demo'] as const;
export type ModelOrigin = (typeof modelOrigins)[number];
const messageText = z.string().check(z.minLength(1), z.maxLength(most.message));
const entryIndex = z.int().check(z.nonnegative());
const queuedId = z.int().check(z.nonnegative());

/**
 * Page → host. The page carries choices, not content: it names a pending approval, the host runs what it stored. Made
 * when the first of them comes, because it is half of what loading the extension would cost.
 */
export const ChatToHost = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({
      type: z.literal('send'),
      text: messageText,
      /** The message of the shown conversation in whose place it comes; all behind that is left out. */
      instead: z.optional(z.strictObject({ entry: entryIndex, text: messageText })),
      /** What goes on is stopped for it. Otherwise it waits for the end of that. */
      interrupts: z.optional(z.literal(true)),
    }),
    /** Sends a message again in its own place; the user chooses another model or protocol first, if so. */
    z.strictObject({ type: z.literal('retry'), entry: entryIndex, isChosen: z.optional(z.literal(true)) }),
    z.strictObject({
      type: z.literal('queue'),
      change: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('remove'), id: queuedId }),
        /** The user begins to change it: it is not sent until they are done. */
        z.strictObject({ type: z.literal('hold'), id: queuedId }),
        /** They are done: with another text, or as it was. */
        z.strictObject({ type: z.literal('release'), id: queuedId, text: z.optional(messageText) }),
        /** What waits is sent after all. */
        z.strictObject({ type: z.literal('go-on') }),
      ]),
    }),
    /** Asks for what fits, for a mention: files and folders, or resources of MCP servers. The answer carries the same number. */
    z.strictObject({
      type: z.literal('complete'),
      id: z.int().check(z.nonnegative()),
      only: z.optional(z.enum(['file', 'folder', 'resource'])),
      query: z.string().check(z.maxLength(most.query)),
    }),
    /** An image that was pasted or dropped for the next message, in base64. What it is its bytes say. */
    z.strictObject({
      type: z.literal('attach-image'),
      name: z.string().check(z.maxLength(most.imageName)),
      data: z.string().check(z.minLength(1), z.maxLength(most.image)),
      /** It goes along with an earlier message that is being changed. */
      isForEarlier: z.optional(z.literal(true)),
    }),
    z.strictObject({ type: z.literal('remove-image'), id: z.int().check(z.nonnegative()) }),
    /** Files and folders that were pasted or dropped. The answer is `insert`. */
    z.strictObject({
      type: z.literal('attach-uris'),
      uris: z.array(z.string().check(z.maxLength(most.uri))).check(z.maxLength(most.uris)),
    }),
    /** Asks for what a message may begin with. The answers are `skills` and `servers`. */
    z.strictObject({ type: z.literal('list-skills') }),
    /** The greeting is shown, and asks for what to begin with. The answer is `starters`. */
    z.strictObject({ type: z.literal('list-starters') }),
    z.strictObject({ type: z.literal('open-folder') }),
    /** The user has written it instead of a message. */
    z.strictObject({ type: z.literal('run-command'), command: z.enum(hostCommands) }),
    /** Whether messages of this window take along what the editor shows. */
    z.strictObject({ type: z.literal('with-editor'), isOn: z.boolean() }),
    z.strictObject({ type: z.literal('stop') }),
    /** Goes on after a budget has paused the run. */
    z.strictObject({ type: z.literal('resume') }),
    /** Has the plan carried out by the agent that was picked before the one that plans. */
    z.strictObject({ type: z.literal('carry-out') }),
    /** Takes the last summary of the history back. */
    z.strictObject({ type: z.literal('undo-summary') }),
    /** The user wants to choose which tools make room. */
    z.strictObject({ type: z.literal('drop-tools') }),
    z.strictObject({ type: z.literal('new-session') }),
    CallToHost,
    z.strictObject({
      type: z.literal('pick'),
      picker: z.enum(pickerIds),
      value: z.string().check(z.maxLength(most.choice)),
    }),
    /** The user has no model yet, and says where one should come from. */
    z.strictObject({ type: z.literal('choose-model'), from: z.enum(modelOrigins) }),
    /** The user is about to choose. */
    z.strictObject({ type: z.literal('open-picker'), picker: z.enum(pickerIds) }),
    z.strictObject({ type: z.literal('manage-trust') }),
    /** What the user says to the offer of a sandbox. */
    z.strictObject({ type: z.literal('sandbox-offer'), choice: z.enum(['set-up', 'decline']) }),
    /** Puts files back as they were before a message, or before an earlier restore: an entry of the shown conversation. */
    z.strictObject({ type: z.literal('restore-files'), entry: entryIndex }),
    /** Opens the diff of a file that this conversation has changed. */
    z.strictObject({ type: z.literal('show-change'), path: z.string().check(z.maxLength(most.path)) }),
    /** Opens the inspector for a reply: of the conversation, or of the sub-agent that a call has started. */
    z.strictObject({
      type: z.literal('inspect'),
      reply: z.strictObject({
        number: z.int().check(z.nonnegative()),
        callId: z.optional(z.string().check(z.maxLength(most.callId))),
      }),
    }),
    /** Puts code of a reply into the active editor, as it was shown. */
    z.strictObject({ type: z.literal('insert-code'), code: messageText }),
    /** The user wants code of a reply in a file. The host asks which, shows the change and asks again before it writes. */
    z.strictObject({
      type: z.literal('apply-code'),
      code: messageText,
      /** What stands behind its fence. */
      info: z.string().check(z.maxLength(most.codeContext)),
      /** The line before it. */
      before: z.string().check(z.maxLength(most.codeContext)),
    }),
    /** Opens a web page after VS Code has shown the whole address. */
    z.strictObject({ type: z.literal('open-link'), url: z.string().check(z.maxLength(most.uri)) }),
  ]),
);
export type ChatToHost = z.infer<typeof ChatToHost>;

/** Host → page. Everything shown is a fold over the events; a reload asks with `ready` and gets them again. */
export type HostToChat =
  | {
      readonly type: 'init';
      readonly events: readonly AgentEvent[];
      readonly pickers: Pickers;
      readonly outbox: OutboxState;
      readonly images: readonly PastedImage[];
      /** What was not taken while no page was there. */
      readonly unsent?: Unsent;
    }
  | { readonly type: 'events'; readonly events: readonly AgentEvent[] }
  | { readonly type: 'pickers'; readonly pickers: Pickers }
  /** Whether the workspace is trusted; it is until this says otherwise. */
  | { readonly type: 'trust'; readonly isTrusted: boolean }
  /** What goes along with the next message by itself. */
  | { readonly type: 'context'; readonly context: MessageContext }
  | { readonly type: 'completions'; readonly id: number; readonly items: readonly Completion[] }
  /** Puts a text into the message box, where the caret is, and the caret behind it. */
  | { readonly type: 'insert'; readonly text: string }
  /** A message that was not taken: it belongs back into the message box. */
  | ({ readonly type: 'unsent' } & Unsent)
  | { readonly type: 'outbox'; readonly outbox: OutboxState }
  | { readonly type: 'skills'; readonly skills: readonly SkillName[] }
  | { readonly type: 'starters'; readonly starters: Starters }
  /** What the MCP servers that run have for a message. */
  | { readonly type: 'servers'; readonly servers: ServersOffer }
  | { readonly type: 'images'; readonly images: readonly PastedImage[] }
  /** A sentence about what the user has just done with the message. */
  | { readonly type: 'note'; readonly text: string }
  /** The sandbox is offered on the card of this call, or no longer. */
  | { readonly type: 'sandbox-offer'; readonly callId?: string }
  /** Puts the caret into the message box. */
  | { readonly type: 'focus' }
  /** Makes a short sound: a call waits, and the user is elsewhere. */
  | { readonly type: 'chime' };

/** The messages whose runs have not begun. */
export interface OutboxState {
  /** The one that is on its way: what it names is being read. */
  readonly sending?: string;
  /** What waits for the end of a run, in the order in which it goes. */
  readonly queued: readonly QueuedMessage[];
  /** The last run did not simply end, so they wait for a word of the user. */
  readonly isWaiting: boolean;
}

export interface QueuedMessage {
  readonly id: number;
  readonly text: string;
  /** How many images go along with it. */
  readonly images: number;
}

/** One that goes along with the next message. */
export interface PastedImage {
  readonly id: number;
  readonly label: string;
  /** A `data:` address. */
  readonly url: string;
  /** It was given to an earlier message, while that was being changed. */
  readonly isForEarlier?: true;
}

export interface Unsent {
  readonly text: string;
  /** The message in whose place it was to come. */
  readonly instead?: EarlierMessage;
}

/** What the greeting offers to begin with. */
export interface Starters {
  readonly hasFolder: boolean;
  readonly tasks: readonly StarterTask[];
}

/** The page has the words for it. Paths and names are those of the folder, and plain. */
export type StarterTask =
  | { readonly type: 'explain'; readonly path: string }
  | { readonly type: 'uses'; readonly name: string }
  | { readonly type: 'tests' | 'project' | 'todos' | 'list' };

export interface MessageContext {
  readonly items: readonly ContextItem[];
  /** Whether what the editor shows goes along. */
  readonly withEditor: boolean;
}

/** `rules`: a file that is part of the instructions. */
export interface ContextItem {
  readonly source: 'rules' | 'editor' | 'selection';
  readonly label: string;
  /** A sentence about it. */
  readonly title: string;
  /** It cannot be used; the title says why. */
  readonly isProblem?: true;
}

export type Completion = PathCompletion | ResourceCompletion;

export interface ResourceCompletion {
  readonly type: 'resource';
  /** As a mention takes them. */
  readonly server: string;
  readonly uri: string;
  /** The server's own word for it. */
  readonly name: string;
}

export interface PathCompletion {
  readonly type: 'file' | 'folder';
  /** As a mention takes it. */
  readonly path: string;
}

export interface ServersOffer {
  readonly prompts: readonly PromptName[];
  /** Whether there is one that could be mentioned. */
  readonly hasResources: boolean;
}

interface PromptName extends SkillName {
  readonly server: string;
}

export interface SkillName {
  readonly name: string;
  readonly description: string;
}

export type Pickers = Readonly<Record<PickerId, Picker>>;

export interface Picker {
  readonly value: string;
  readonly options: readonly PickerOption[];
}

interface PickerOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
  /** A model that is none: it follows a few plain sentences. */
  readonly isScripted?: true;
}
