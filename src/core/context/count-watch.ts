import type { AgentOptions } from '../run/agent-options';
import type { ModelFailure, RequestSize, Usage } from '../words/model';
import type { Shortfall } from './shortfall';
import { number, WHERE_WINDOWS_ARE_SET } from './too-much';

/** Watches what the server counts: learns from it, and says once in a run what cannot be all of a request. */
export class CountWatch {
  private hasSpoken = false;

  constructor(private readonly options: Pick<AgentOptions, 'gauge' | 'emit'>) {}

  /** What was found now for the first time. A refusal says how long the request was, too. */
  look(
    size: RequestSize,
    usage: Usage | undefined,
    failure: ModelFailure | undefined,
  ): Shortfall | undefined {
    const { gauge, emit } = this.options;
    const refused = failure?.figures?.prompt;
    if (refused !== undefined) gauge.learn(size, { inputTokens: refused, outputTokens: 0 });
    const found = usage && gauge.learn(size, usage);
    if (!found || this.hasSpoken) return undefined;
    this.hasSpoken = true;
    const { code, message, hint } = texts(found, usage.inputTokens, size.total);
    emit({ type: 'warning', diagnostic: { code, level: 'warning', message, hint, start: 0, end: 0 } });
    return found;
  }
}

function texts(
  found: Shortfall,
  counted: number,
  total: number,
): { readonly code: string; readonly message: string; readonly hint: string } {
  if (found === 'front-cut') {
    return {
      code: 'front-cut',
      message: `The server took in ${number(counted)} tokens of about ${number(total)}: it has most likely cut off the beginning, where the tools are described. Give the server a larger context size, or say in "contextWindow" how small it is.`,
      hint: WHERE_WINDOWS_ARE_SET,
    };
  }
  return {
    code: 'tools-not-in-template',
    message: `The model was not told of its tools: the server took in ${number(counted)} tokens of about ${number(total)}, as many as the messages have without the tools. The chat template of the model has no place for them. Use a text protocol.`,
    hint: 'A text protocol describes the tools in the messages. llama.cpp: --jinja with a chat template that has tools helps as well.',
  };
}
