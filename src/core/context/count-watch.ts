import type { AgentOptions } from '../run/agent-options';
import type { ModelFailure, RequestSize, Usage } from '../words/model';
import type { Shortfall } from './shortfall';
import { number, WHERE_WINDOWS_ARE_SET } from './too-much';

/** Learns from the server's token counts. Warns once per run when a count cannot be of the whole request. */
export class CountWatch {
  private hasSpoken = false;

  constructor(private readonly options: Pick<AgentOptions, 'gauge' | 'emit' | 'dropsTools'>) {}

  /**
   * Called before a request with tools is sent. Returns whether it warned now that the server drops the tools, by its
   * own account.
   */
  warn(): boolean {
    if (!this.options.dropsTools || this.hasSpoken) return false;
    this.hasSpoken = true;
    this.emit({
      ...TOOLS_DROPPED,
      message:
        'The model is not told of its tools: the server says that its chat template has no place for them. Use a text protocol.',
    });
    return true;
  }

  /** Returns what was found for the first time. A refusal also tells how long the request was. */
  look(
    size: RequestSize,
    usage: Usage | undefined,
    failure: ModelFailure | undefined,
  ): Shortfall | undefined {
    const { gauge } = this.options;
    const refused = failure?.figures?.prompt;
    if (refused !== undefined) gauge.learn(size, { inputTokens: refused, outputTokens: 0 });
    const found = usage && gauge.learn(size, usage);
    if (!found || this.hasSpoken) return undefined;
    this.hasSpoken = true;
    this.emit(texts(found, usage.inputTokens, size.total));
    return found;
  }

  private emit(told: Told): void {
    this.options.emit({ type: 'warning', diagnostic: { level: 'warning', ...told, start: 0, end: 0 } });
  }
}

interface Told {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const TOOLS_DROPPED = {
  code: 'tools-not-in-template',
  hint: 'A text protocol describes the tools in the messages. llama.cpp: --jinja with a chat template that has tools helps as well.',
};

function texts(found: Shortfall, counted: number, total: number): Told {
  if (found === 'front-cut') {
    return {
      code: 'front-cut',
      message: `The server took in ${number(counted)} tokens of about ${number(total)}: it has most likely cut off the beginning, where the tools are described. Give the server a larger context size, or say in "contextWindow" how small it is.`,
      hint: WHERE_WINDOWS_ARE_SET,
    };
  }
  return {
    ...TOOLS_DROPPED,
    message: `The model was not told of its tools: the server took in ${number(counted)} tokens of about ${number(total)}, as many as the messages have without the tools. The chat template of the model has no place for them. Use a text protocol.`,
  };
}
