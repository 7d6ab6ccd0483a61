import type { RunContext } from '../../src/core/words/tool';

/** What a tool gets that runs alone, without a loop around it. */
export function runContext(signal = new AbortController().signal): RunContext {
  return { signal, onOutput: () => undefined, onFileChange: () => undefined, delegate };
}

/** Nothing can be handed on where there is no loop. */
export function delegate(): Promise<never> {
  return Promise.reject(new Error('There is no agent in this test.'));
}
