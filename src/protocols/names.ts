/** What pickers and settings know of a protocol before its parser is loaded. */
export interface ProtocolName {
  readonly id: string;
  /** For pickers: `VCP`. */
  readonly label: string;
  /** For pickers, in one line. */
  readonly description: string;
}

/** Those of `index.ts`, in its order. Written by `npm run manifest`. */
export const protocolNames: readonly ProtocolName[] = [
  {
    id: 'native',
    label: 'Native',
    description: "The API's own tool calls; needs a model and a server with tools.",
  },
  {
    id: 'vcp',
    label: 'VCP',
    description: 'Calls as text between markers; for models and gateways without tools.',
  },
  {
    id: 'json',
    label: 'JSON',
    description: 'A strict {"tool_calls": […]} object; for models that write JSON well.',
  },
  {
    id: 'xml',
    label: 'XML tag',
    description: 'A JSON call inside <tool_code>; for models that are at home with tags.',
  },
  {
    id: 'envelope',
    label: 'JSON envelope',
    description: 'The whole reply is one JSON object with an action; for services that return JSON only.',
  },
  {
    id: 'invoke',
    label: 'Invoke',
    description:
      '<function_calls> with raw values; MiniMax and DeepSeek models write it, and it suits file contents.',
  },
  {
    id: 'hermes',
    label: 'Hermes',
    description: 'A JSON call inside <tool_call>; Qwen and Hermes models are trained on it.',
  },
  {
    id: 'qwen3-coder',
    label: 'Qwen3-Coder',
    description: 'Tags with raw values inside <tool_call>; Qwen3-Coder models are trained on it.',
  },
  {
    id: 'glm',
    label: 'GLM',
    description: 'A name with <arg_key> and <arg_value> pairs; GLM models are trained on it.',
  },
];
