import type { Protocol } from '../core/words/protocol';

/** What is known of a protocol before its parser is loaded. */
export type ProtocolName = Pick<Protocol, 'id' | 'label' | 'description' | 'sign' | 'suits'>;

/** Those of `index.ts`, in its order. Written by `npm run manifest`. */
export const protocolNames: readonly ProtocolName[] = [
  {
    id: 'native',
    label: 'Native',
    description: "The API's own tool calls; needs a model and a server with tools.",
    sign: /^\s*data:/,
  },
  {
    id: 'vcp',
    label: 'VCP',
    description: 'Calls as text between markers; for models and gateways without tools.',
    sign: /<<<\[TOOL_REQUEST\]>>>/,
  },
  {
    id: 'json',
    label: 'JSON',
    description: 'A strict {"tool_calls": […]} object; for models that write JSON well.',
    sign: /"tool_calls"\s*:/,
    suits: {
      fallback:
        /^(?:gpt-|gpt-?oss|chatgpt|o\d|claude|gemini|mi(?:ni)?stral|mixtral|devstral|magistral|codestral|llama-?3|(?:llama-)?xlam|nemotron-nano.*v2|hunyuan-a13b|apriel|jamba|phi-?4|sarashina)/,
    },
  },
  {
    id: 'xml',
    label: 'XML tag',
    description: 'A JSON call inside <tool_code>; for models that are at home with tags.',
    sign: /<tool_code>/,
  },
  {
    id: 'envelope',
    label: 'JSON envelope',
    description: 'The whole reply is one JSON object with an action; for services that return JSON only.',
    sign: /(?:^\s*(?:```\w*\s*)?\{[^]*)?"action"\s*:\s*"(?:tool_call|finish)"/,
  },
  {
    id: 'invoke',
    label: 'Invoke',
    description:
      '<function_calls> with raw values; MiniMax and DeepSeek models write it, and it suits file contents.',
    sign: /function_calls>|<minimax:tool_call>|<(?:[\w:]*|[|｜]+[DG][SC]ML[|｜]+)invoke |[|｜]tool_calls>|dots_function_call>|minimax\[>\[|<function\s?name=/,
    suits: {
      first:
        /^(?:deepseek-r1.*distill|r1-distill|tinyllama|vicuna|codellama|starcoder|codegemma|deepseek-coder|llama-?2|phi-?[123](?!\d))/,
      fallback:
        /^(?:deepseek|minimax|gigachat|muse|dots|minicpm-?5|step-?3(?![.\d])|kimi|command-|north-|apertus|inkling|solar-open|intern|plamo|beam)/,
    },
  },
  {
    id: 'hermes',
    label: 'Hermes',
    description: 'A JSON call inside <tool_call>; Qwen and Hermes models are trained on it.',
    sign: /<(?:seed:|longcat_|ifm\|)?tool_call[:>]|<function=/,
    suits: { fallback: /^(?:qwen|qwq|hermes|nous-hermes|granite-?4|ernie|reka|trinity|smollm3|ling|bielik)/ },
  },
  {
    id: 'qwen3-coder',
    label: 'Qwen3-Coder',
    description: 'Tags with raw values inside <tool_call>; Qwen3-Coder models are trained on it.',
    suits: {
      fallback:
        /^(?:qwen-?3-?coder|qwen-?3\.(?:[5-9]|\d\d)|nemotron-?3|step-?3\.[5-9]|k-exaone|mimo|intern-?s2|seed-?oss|ornith)/,
    },
  },
  {
    id: 'glm',
    label: 'GLM',
    description: 'A name with <arg_key> and <arg_value> pairs; GLM models are trained on it.',
    suits: { fallback: /^(?:glm|chatglm|hy-?v?3|hunyuan-?3|laguna|k2-horizon|ling-?(?:2\.6|3)|longcat)/ },
  },
  {
    id: 'pythonic',
    label: 'Pythonic',
    description: 'A list of Python calls; LFM2, Llama 3.2 and 4, Gemma 3 and Olmo 3 write it.',
    sign: /^\s*\[[\w.-]+\([^\n]*\)\]|<\|tool_call_start\|>|<\|python_start\|>|<function_calls>\s*[\w.-]+\(/m,
    suits: {
      first: /^gemma(?!-?[4-9](?![\db]))(?:-?[123]n?)?(?:[-:.]|$)/,
      fallback: /^(?:lfm-?2|olmo-?3|llama-?(?:3\.2|4)|toolace)/,
    },
  },
  {
    id: 'gemma4',
    label: 'Gemma 4',
    description: 'Calls between <|tool_call> and <tool_call|>; Gemma 4 models are trained on it.',
    sign: /<\|tool_call>|<start_function_call>|^call:[\w.-]+\{/m,
    suits: { fallback: /^(?:functiongemma|(?:diffusion-?)?gemma-?4)/ },
  },
  {
    id: 'plain',
    label: 'Plain',
    description: 'One step as plain lines: a thought, a tool and its fields; for small models.',
    sign: /^(?:\*\*)?Tool:(?:\*\*)? ?[\w.-]+[ \t\r]*$/m,
  },
];
