/**
 * Something attached to a user message: what the user named, or has open. It is read when the message is sent and
 * stored as it was, so that the conversation can always be rendered again.
 */
export type Attachment = TextAttachment | ImageAttachment | MissingAttachment;

export interface TextAttachment {
  readonly type: 'text';
  readonly source: AttachmentSource;
  /** For people and models: `src/a.ts`, `src/a.ts:3-10`, `Problems`. */
  readonly label: string;
  readonly text: string;
}

/**
 * `editor`: the names of open files. `prompt`, `resource`: provided by an MCP server. The user named all but `editor`
 * and `selection`.
 */
export type AttachmentSource =
  'file' | 'folder' | 'problems' | 'terminal' | 'selection' | 'editor' | 'skill' | 'prompt' | 'resource';

export interface ImageAttachment {
  readonly type: 'image';
  readonly label: string;
  readonly image: Image;
  /** The user pasted or dropped it: there is no file to read it from again. */
  readonly isPasted?: true;
}

export interface Image {
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** In base64. */
  readonly data: string;
  /** Where a gateway client refers to it by URL; then `data` is empty. */
  readonly url?: string;
  /** As in the API: how closely the model looks, `low` or `high`. */
  readonly detail?: string;
}

/** A mention that could not be attached. The model is not informed: it can see the mention in the message. */
export interface MissingAttachment {
  readonly type: 'missing';
  readonly label: string;
  /** For people: what was wrong, and the next step. */
  readonly problem: string;
}
