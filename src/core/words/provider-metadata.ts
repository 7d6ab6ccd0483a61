import type { JsonObject } from '../../base/json';

/**
 * What came with a reply and is sent back with the history to the same endpoint: reasoning and its signatures. Other
 * endpoints and models never get it.
 */
export interface ProviderMetadata {
  /** Scheme, host and port of the endpoint; `vscode` for the models of VS Code. */
  readonly origin: string;
  /** As the endpoint names it. */
  readonly model: string;
  /** Fields of the message, unchanged, by their names in the API: `reasoning_content`, `reasoning_details`. */
  readonly fields?: JsonObject;
  /**
   * Reasoning that came in the content before the answer: text that ends with a closing tag, or items of a content
   * list.
   */
  readonly lead?: string | readonly JsonObject[];
  /**
   * Everything that the model wrote in the form of its API, unchanged and in order: output items of Responses, content
   * blocks of Messages.
   */
  readonly output?: { readonly api: 'responses' | 'messages'; readonly items: readonly JsonObject[] };
}

/** The last delta of a reply; absent if the reply has nothing to carry. */
export interface ProviderMetadataDelta {
  readonly type: 'carried';
  readonly carried: ProviderMetadata;
}
