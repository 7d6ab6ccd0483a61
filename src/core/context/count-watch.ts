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
        'The model does not see its tools: the server reports that its chat template drops them. Use a text protocol.',
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

  private emit(text: WarningText): void {
    this.options.emit({ type: 'warning', diagnostic: { level: 'warning', ...text, start: 0, end: 0 } });
  }
}

interface WarningText {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

const TOOLS_DROPPED = {
  code: 'tools-not-in-template',
  hint: 'A text protocol describes the tools in the messages. With llama.cpp, --jinja and a chat template that supports tools also work.',
};

function texts(found: Shortfall, counted: number, total: number): WarningText {
  if (found === 'front-cut') {
    return {
      code: 'front-cut',
      message: `The server read ${number(counted)} of about ${number(total)} tokens: it probably cut off the beginning, which describes the tools. Give the server a larger context size, or set "contextWindow" to its actual size.`,
      hint: WHERE_WINDOWS_ARE_SET,
    };
  }
  return {
    ...TOOLS_DROPPED,
    message: `The model did not see its tools: the server read ${number(counted)} of about ${number(total)} tokens, as many as the messages have without the tools. The model's chat template does not support them. Use a text protocol.`,
  };
}
