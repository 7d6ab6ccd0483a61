import assert from 'node:assert/strict';
import { finishReason, type FinishReason } from '../../../src/models/finish-reasons';

describe('finish reasons', () => {
  const rows: readonly (readonly [FinishReason | undefined, readonly string[]])[] = [
    ['stop', ['stop', 'STOP', 'end_turn', 'eos_token', 'COMPLETE', 'FINISH_REASON_STOP']],
    ['tool-calls', ['tool_calls', 'tool_use', 'function_call', 'TOOL_CALL']],
    [
      'length',
      [
        'length',
        'max_tokens',
        'MAX_TOKENS',
        'max_output_tokens',
        'model_context_window_exceeded',
        'Max Tokens',
      ],
    ],
    [
      'content-filter',
      ['content_filter', 'content-filter', 'sensitive', 'SAFETY', 'PROHIBITED_CONTENT', 'refusal'],
    ],
    [
      'broken',
      [
        'error',
        'abort',
        'network_error',
        'network-error',
        'error_finish',
        'MALFORMED_FUNCTION_CALL',
        'cancelled',
      ],
    ],
    [undefined, ['', 'weird', 'OTHER', 'constructor']],
  ];
  for (const [meaning, written] of rows) {
    it(`${meaning ?? 'unknown'}: ${written.join(', ')}`, () => {
      for (const each of written) assert.equal(finishReason(each), meaning, each);
    });
  }
});
