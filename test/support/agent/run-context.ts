import type { RunContext } from '../../../src/core/words/tool';

/** The context of a tool that runs without a loop. */
export function runContext(signal = new AbortController().signal): RunContext {
  return { signal, onOutput: () => undefined, onFileChange: () => undefined, delegate };
}

/** Sub-agents need a loop. */
export function delegate(): Promise<never> {
  return Promise.reject(new Error('There is no agent in this test.'));
}
