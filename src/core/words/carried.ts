import type { JsonObject } from '../../base/json';

/**
 * What came with a reply and goes back to the endpoint it came from with the history: thoughts, and signatures of them.
 * Other endpoints and models get nothing of it.
 */
export interface Carried {
  /** Scheme, host and port of the endpoint; `vscode` for the models of VS Code. */
  readonly origin: string;
  /** As the endpoint knows it. */
  readonly model: string;
  /** Fields of the message, as they came, by their names in the API: `reasoning_content`, `reasoning_details`. */
  readonly fields?: JsonObject;
  /**
   * Thoughts that came in the content, in front of the answer: text that ends with a closing tag, or parts of a content
   * that is a list.
   */
  readonly lead?: string | readonly JsonObject[];
}

/** The last that a model says of a reply; nothing where the reply brought nothing of the kind. */
export interface CarriedDelta {
  readonly type: 'carried';
  readonly carried: Carried;
}
