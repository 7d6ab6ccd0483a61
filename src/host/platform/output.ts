import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { visibleText } from '../../base/text';
import { CallReport } from '../../core/transcript/call-report';
import type { AgentEvent } from '../../core/words/events';
import type { Secrets } from './secrets';

/** Where the events of a conversation come from. */
interface EventSource {
  onEvent(listener: (event: AgentEvent) => void): Disposable;
  /** Fires when another session is shown. */
  onReplaced(listener: () => void): Disposable;
}

/**
 * The two output channels: the log, and a block for every parsed call. Nothing else writes to them, so they contain
 * no keys and no hidden characters.
 */
export class Output implements vscode.Disposable {
  private readonly store = new DisposableStore();
  private readonly log = this.store.add(vscode.window.createOutputChannel('Parley', { log: true }));
  private readonly calls = this.store.add(vscode.window.createOutputChannel('Parley Tool Calls'));

  constructor(private readonly secrets: Secrets) {}

  /** Logs an error with details. */
  error(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.log.error(this.fit(text));
  }

  warn(text: string): void {
    this.log.warn(this.fit(text));
  }

  info(text: string): void {
    this.log.info(this.fit(text));
  }

  showLog(): void {
    this.log.show();
  }

  showCalls(): void {
    this.calls.show();
  }

  /** Logs the events of the conversation from now on. */
  follow(conversation: EventSource): vscode.Disposable {
    let report = new CallReport();
    const store = new DisposableStore();
    store.add(conversation.onReplaced(() => (report = new CallReport())));
    store.add(
      conversation.onEvent((event) => {
        const block = report.add(event, new Date());
        if (block !== undefined) this.calls.appendLine(this.fit(block));
        const line = logLine(event);
        if (line !== undefined) this.info(line);
      }),
    );
    return store;
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Without keys and hidden characters. */
  private fit(text: string): string {
    return visibleText(this.secrets.redact(text));
  }
}

function logLine(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'run-start':
      return `run starts: ${event.text.length} characters`;
    case 'run-resume':
      return 'run goes on';
    case 'sub-agent': {
      const line = logLine(event.event);
      return line && `sub-agent: ${line}`;
    }
    case 'round-start':
      return `round ${event.round}: ${event.isMended ? 'an edited reply' : event.model} over ${event.protocol}`;
    case 'retry':
      return `try ${event.attempt} of ${event.of} in ${event.waitMs} ms: ${event.message}`;
    case 'reply-end':
      return `reply ends: ${event.reason}, ${event.raw.length} characters${event.usage ? `, ${event.usage.inputTokens} + ${event.usage.outputTokens} tokens` : ''}`;
    case 'warning':
      return `${event.diagnostic.code}: ${event.diagnostic.message}`;
    case 'tool-end':
      return `${event.result.toolName}: ${event.result.status} in ${event.result.durationMs} ms`;
    case 'run-end':
      return `run ends: ${event.outcome.type}${'message' in event.outcome ? `: ${event.outcome.message}` : ''}`;
    default:
      return undefined;
  }
}
