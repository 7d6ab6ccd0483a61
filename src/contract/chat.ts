// The small edition: the host loads this at activation.
import * as z from 'zod/mini';
import type { SlashCommand } from '../core/slash-commands';
import type { EarlierMessage } from '../core/transcript/references';
import type { AgentEvent } from '../core/words/events';
import { CallToHost } from './calls';
import { most } from './most';

// The page handles help itself.
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

/** Pages of the documentation that the chat leads to. */
export const linkedPages = ['README', 'chat', 'troubleshooting'] as const;
export type LinkedPage = (typeof linkedPages)[number];

const pickerIds = ['model', 'protocol', 'mode', 'agent', 'effort'] as const;
export type PickerId = (typeof pickerIds)[number];

/** What **Attach** can add to a message; mentions are written by the page alone. */
const attachable = ['files', 'folder', 'selection', 'changes', 'image', 'conversation'] as const;
export type Attachable = (typeof attachable)[number];

const modelOrigins = ['vscode', 'local', 'endpoint', 'demo'] as const;
export type ModelOrigin = (typeof modelOrigins)[number];
const messageText = z.string().check(z.minLength(1), z.maxLength(most.message));
const entryIndex = z.int().check(z.nonnegative());
const queuedId = z.int().check(z.nonnegative());

/**
 * Page → host. The page sends choices, not content: it names a pending approval, and the host runs what it stored.
 * Created for the first message, because it takes half of the loading time of the extension.
 */
export const ChatToHost = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('ready') }),
    z.strictObject({
      type: z.literal('send'),
      text: messageText,
      /** Message of the current conversation that it replaces; everything after it is removed. */
      instead: z.optional(z.strictObject({ entry: entryIndex, text: messageText })),
      /** Stops the current run for it. Otherwise it waits for the end of the run. */
      interrupts: z.optional(z.literal(true)),
    }),
    /** Sends a message again in its place; the user may choose another model or protocol first. */
    z.strictObject({ type: z.literal('retry'), entry: entryIndex, isChosen: z.optional(z.literal(true)) }),
    z.strictObject({
      type: z.literal('queue'),
      change: z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('remove'), id: queuedId }),
        /** The user starts editing it: it is not sent until they are done. */
        z.strictObject({ type: z.literal('hold'), id: queuedId }),
        /** Editing ends: with another text, or unchanged. */
        z.strictObject({ type: z.literal('release'), id: queuedId, text: z.optional(messageText) }),
        /** Continues with the queued messages. */
        z.strictObject({ type: z.literal('go-on') }),
      ]),
    }),
    /**
     * Requests completions for a mention: files and folders, or resources of MCP servers. The answer has the same
     * number.
     */
    z.strictObject({
      type: z.literal('complete'),
      id: z.int().check(z.nonnegative()),
      only: z.optional(z.enum(['file', 'folder', 'resource'])),
      query: z.string().check(z.maxLength(most.query)),
    }),
    /** An image pasted or dropped for the next message, in base64. Its type is read from its bytes. */
    z.strictObject({
      type: z.literal('attach-image'),
      name: z.string().check(z.maxLength(most.imageName)),
      data: z.string().check(z.minLength(1), z.maxLength(most.image)),
      /** It belongs to an earlier message that is being edited. */
      isForEarlier: z.optional(z.literal(true)),
    }),
    /** The user chooses what to add. The answer is `insert`, `images` or `note`. */
    z.strictObject({
      type: z.literal('attach'),
      what: z.enum(attachable),
      /** As for `attach-image`. */
      isForEarlier: z.optional(z.literal(true)),
    }),
    z.strictObject({ type: z.literal('remove-image'), id: z.int().check(z.nonnegative()) }),
    /** Files and folders that were pasted or dropped. The answer is `insert`. */
    z.strictObject({
      type: z.literal('attach-uris'),
      uris: z.array(z.string().check(z.maxLength(most.uri))).check(z.maxLength(most.uris)),
    }),
    /** Requests what a message may begin with. The answers are `skills` and `servers`. */
    z.strictObject({ type: z.literal('list-skills') }),
    /** The greeting is shown, and requests first tasks. The answer is `starters`. */
    z.strictObject({ type: z.literal('list-starters') }),
    z.strictObject({ type: z.literal('open-folder') }),
    /** The user typed it instead of a message. */
    z.strictObject({ type: z.literal('run-command'), command: z.enum(hostCommands) }),
    /** Whether editor context is sent with messages of this window. */
    z.strictObject({ type: z.literal('with-editor'), isOn: z.boolean() }),
    z.strictObject({ type: z.literal('stop') }),
    /** Continues after a budget has paused the run. */
    z.strictObject({ type: z.literal('resume') }),
    /** Carries out the plan with the agent picked before the planning agent. */
    z.strictObject({ type: z.literal('carry-out') }),
    /** Undoes the last summary of the history. */
    z.strictObject({ type: z.literal('undo-summary') }),
    /** The user wants to choose tools to turn off. */
    z.strictObject({ type: z.literal('drop-tools') }),
    CallToHost,
    z.strictObject({
      type: z.literal('pick'),
      picker: z.enum(pickerIds),
      value: z.string().check(z.maxLength(most.choice)),
    }),
    /** The user has no model yet, and picks a source of one. */
    z.strictObject({ type: z.literal('choose-model'), from: z.enum(modelOrigins) }),
    /** The user is about to choose. */
    z.strictObject({ type: z.literal('open-picker'), picker: z.enum(pickerIds) }),
    z.strictObject({ type: z.literal('manage-trust') }),
    /** The user's answer to the offer of a sandbox. */
    z.strictObject({ type: z.literal('sandbox-offer'), choice: z.enum(['set-up', 'decline']) }),
    /** Restores files to before a message, or before an earlier restore: an entry of the current conversation. */
    z.strictObject({ type: z.literal('restore-files'), entry: entryIndex }),
    /** Keeps or undoes what was done to these files from an entry on, as far as that is still offered. */
    z.strictObject({
      type: z.literal('settle-changes'),
      how: z.enum(['keep', 'undo']),
      entry: entryIndex,
      paths: z.array(z.string().check(z.maxLength(most.path))).check(z.maxLength(most.changedFiles)),
    }),
    /** Opens the diff of a file that this conversation has changed. */
    z.strictObject({ type: z.literal('show-change'), path: z.string().check(z.maxLength(most.path)) }),
    /** Opens the lab for a reply of the conversation, or of a sub-agent. */
    z.strictObject({
      type: z.literal('inspect'),
      reply: z.strictObject({
        number: z.int().check(z.nonnegative()),
        callId: z.optional(z.string().check(z.maxLength(most.callId))),
      }),
    }),
    /** Inserts code of a reply into the active editor, as it was shown. */
    z.strictObject({ type: z.literal('insert-code'), code: messageText }),
    /**
     * Applies code of a reply to a file. The host asks for the file, shows the change and asks again before it
     * writes.
     */
    z.strictObject({
      type: z.literal('apply-code'),
      code: messageText,
      /** Text after its fence. */
      info: z.string().check(z.maxLength(most.codeContext)),
      /** The line before it. */
      before: z.string().check(z.maxLength(most.codeContext)),
    }),
    /** Opens a file that a text names, at a line if it names one (from 1). It may not exist. */
    z.strictObject({
      type: z.literal('open-path'),
      path: z.string().check(z.minLength(1), z.maxLength(most.path)),
      line: z.optional(z.int().check(z.positive())),
      column: z.optional(z.int().check(z.positive())),
    }),
    z.strictObject({ type: z.literal('open-docs'), page: z.enum(linkedPages) }),
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
      /** Drafts that returned while there was no page. */
      readonly unsent?: Unsent;
    }
  | { readonly type: 'events'; readonly events: readonly AgentEvent[] }
  | { readonly type: 'pickers'; readonly pickers: Pickers }
  /** Whether the workspace is trusted; it is until this says otherwise. */
  | { readonly type: 'trust'; readonly isTrusted: boolean }
  /** Context that is sent with the next message automatically. */
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
  /** Opens the search box for the conversation. */
  | { readonly type: 'find' }
  /** Makes a short sound: a call waits, and the user is elsewhere. */
  | { readonly type: 'chime' };

/** Messages whose runs have not started. */
export interface OutboxState {
  /** The message that is being sent: its attachments are read. */
  readonly sending?: string;
  /** Messages that wait for the end of a run, in order. */
  readonly queued: readonly QueuedMessage[];
  /** The last run ended abnormally, so they wait for the user to continue. */
  readonly isWaiting: boolean;
}

export interface QueuedMessage {
  readonly id: number;
  readonly text: string;
  /** Number of its images. */
  readonly images: number;
}

/** An image attached to the next message. */
export interface PastedImage {
  readonly id: number;
  readonly label: string;
  /** A `data:` address. */
  readonly url: string;
  /** It was added to an earlier message while that was being edited. */
  readonly isForEarlier?: true;
}

export interface Unsent {
  readonly text: string;
  /** The message that it was to replace. */
  readonly instead?: EarlierMessage;
}

/** First tasks of the greeting. */
export interface Starters {
  readonly hasFolder: boolean;
  readonly tasks: readonly StarterTask[];
}

/** The page has the words. Paths and names are from the folder, and plain. */
export type StarterTask =
  | { readonly type: 'explain'; readonly path: string }
  | { readonly type: 'uses'; readonly name: string }
  | { readonly type: 'tests' | 'project' | 'todos' | 'list' };

export interface MessageContext {
  readonly items: readonly ContextItem[];
  /** Whether editor context is sent. */
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
  /** As a mention contains them. */
  readonly server: string;
  readonly uri: string;
  /** The server's description. */
  readonly name: string;
}

export interface PathCompletion {
  readonly type: 'file' | 'folder';
  /** As a mention contains it. */
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

export interface Pickers extends Readonly<Record<Exclude<PickerId, 'effort'>, Picker>> {
  /** Only for models whose server takes an effort. */
  readonly effort?: Picker;
}

export interface Picker {
  readonly value: string;
  readonly options: readonly PickerOption[];
}

interface PickerOption {
  readonly value: string;
  readonly label: string;
  readonly detail?: string;
  /** The scripted demo: it follows a few plain sentences. */
  readonly isScripted?: true;
}
