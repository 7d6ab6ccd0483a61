/** Limits of what the host accepts from a page: characters, unless stated otherwise. Pages check the same limits. */
export const most = {
  /** Of a message, and of code inserted into the editor. */
  message: 1_000_000,
  /** Of an answer to a question, or of the reason for a rejection. */
  answer: 10_000,
  /** Of arguments, as JSON. */
  arguments: 4_000_000,
  /** Of a reply in the lab. Replies of models are shorter. */
  reply: 8 * 1024 * 1024,
  /** What a model may write in one reply, and a little more. */
  editedReply: 9_000_000,
  /** In base64: the host's limit for an image, and a little more, so that it can say why it rejects one. */
  image: 8_000_000,
  imageName: 300,
  uri: 4_096,
  /** Number of dropped items. */
  uris: 50,
  path: 4_096,
  /** Of the query of a completion. */
  query: 200,
  /** Of the text after a fence, or of the line before it. */
  codeContext: 300,
  callId: 500,
  toolName: 200,
  protocol: 100,
  /** Of a picked value. */
  choice: 200,
  /** Changed files settled by one click. */
  changedFiles: 5_000,
} as const;
