/**
 * What goes along with a message of the user: what they named, or have open. It is read when the message is sent and
 * kept as it was then, so that the conversation can be rendered anew at any time.
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
 * `editor`: the names of what is open. `prompt`, `resource`: an MCP server has handed it over. All but `editor` and
 * `selection` were named by the user.
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
  /** Where a client of the gateway has put it instead; then `data` is empty. */
  readonly url?: string;
  /** As the API has it: how closely the model is to look, `low` or `high`. */
  readonly detail?: string;
}

/** What was named and could not be taken along. The model is not told: it can see the name in the message. */
export interface MissingAttachment {
  readonly type: 'missing';
  readonly label: string;
  /** For people: what was wrong, and the next step. */
  readonly problem: string;
}
