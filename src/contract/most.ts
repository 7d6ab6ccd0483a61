/** The most that the host takes of what a page sends: characters, where nothing else stands. Pages check by the same numbers. */
export const most = {
  /** Of a message, and of code that goes into the editor. */
  message: 1_000_000,
  /** Of an answer to a question, or of the reason for a rejection. */
  answer: 10_000,
  /** Of a call, as JSON. */
  arguments: 4_000_000,
  /** Of a reply in the lab. A reply of a model is shorter; what is longer is no reply. */
  reply: 8 * 1024 * 1024,
  /** What a model may write in one reply, and a little more. */
  editedReply: 9_000_000,
  /** In base64: what the host takes at most of an image, and a little more, so that it can say why not. */
  image: 8_000_000,
  imageName: 300,
  uri: 4_096,
  /** How many at once. */
  uris: 50,
  path: 4_096,
  /** Of what a mention is looked for by. */
  query: 200,
  /** Of what stands behind the fence of code, or in the line before it. */
  codeContext: 300,
  callId: 500,
  toolName: 200,
  protocol: 100,
  /** Of a value that is picked. */
  choice: 200,
} as const;
