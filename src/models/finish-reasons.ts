import type { EndReason } from '../core/words/model';

/** `broken`: the reply is not whole. */
export type FinishReason = EndReason | 'broken';

/**
 * What servers write into `finish_reason`, without regard to case, blanks, `-`, `_` and a leading
 * `finish_reason_`: OpenAI and its imitations,
 * Anthropic, Gemini, Cohere, Z.ai, MiniMax, DashScope, Hugging Face, vLLM, SGLang, llama.cpp.
 */
const SPELLINGS: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: [
    ...['stop', 'stop_sequence', 'stop_token', 'stop_word', 'stop_str', 'stopped', 'end', 'end_turn'],
    ...['end_of_text', 'eos', 'eos_token', 'eos_token_id', 'eos_found', 'eot', 'im_end'],
    ...['complete', 'completed', 'done', 'finish', 'finished', 'normal', 'success'],
    'matched_stop',
  ],
  'tool-calls': [...['tool_calls', 'tool_call', 'tool_use', 'tools', 'function_call', 'function_calls']],
  length: [
    ...['length', 'max_tokens', 'max_token', 'max_output_tokens', 'max_completion_tokens', 'max_new_tokens'],
    ...['max_length', 'max_context_length', 'token_limit', 'tokens_limit', 'limit', 'output_limit'],
    ...['model_context_window_exceeded', 'context_window_exceeded', 'context_length_exceeded'],
    ...['context_length', 'context_full', 'incomplete'],
  ],
  'content-filter': [
    ...['content_filter', 'content_filtered', 'contentfilter', 'filter', 'filtered', 'sensitive', 'safety'],
    ...['image_safety', 'recitation', 'image_recitation', 'blocklist', 'prohibited_content'],
    ...['image_prohibited_content', 'spii', 'language', 'refusal', 'refused', 'moderation', 'blocked'],
    ...['error_toxic', 'guardrail_intervened', 'content_policy', 'content_policy_violation'],
    ...['risk_control', 'input_sensitive', 'output_sensitive'],
  ],
  broken: [
    ...['error', 'error_finish', 'failed', 'failure', 'exception', 'abort', 'aborted', 'cancel'],
    ...['cancelled', 'canceled', 'interrupted', 'disconnect', 'disconnected', 'timeout', 'timed_out'],
    ...['time_limit', 'network_error', 'server_error', 'internal_error', 'insufficient_system_resource'],
    ...['overloaded', 'preempted', 'malformed_function_call', 'malformed_tool_call', 'malformed_response'],
    ...['unexpected_tool_call', 'invalid_tool_call', 'too_many_tool_calls'],
  ],
};

const REASONS = new Map<string, FinishReason>(
  Object.entries(SPELLINGS).flatMap(([reason, spellings]) =>
    // SAFETY: the keys of the table.
    spellings.map((each) => [plain(each), reason as FinishReason] as const),
  ),
);

/** Meaning of a finish reason; nothing if it is unknown. */
export function finishReason(written: string): FinishReason | undefined {
  return REASONS.get(plain(written));
}

function plain(reason: string): string {
  return reason
    .toLowerCase()
    .replace(/[\s_-]/g, '')
    .replace(/^finishreason/, '');
}
