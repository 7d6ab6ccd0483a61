import type { JsonObject } from '../../base/json';
import type { Decision } from '../words/approval';
import type { AgentEvent } from '../words/events';
import type { MalformedCall, ToolCall, ToolResult } from '../words/messages';

/** Folds events into one readable block of text for every call that has ended, and for every malformed one. */
export class CallReport {
  private protocol = '';
  private readonly calls = new Map<string, ToolCall>();
  private readonly malformed = new Map<string, MalformedCall>();
  private readonly decisions = new Map<string, Decision>();
  private readonly edits = new Map<string, JsonObject>();
  /** For sub-agents, by the id of the call that started them. */
  private readonly inner = new Map<string, CallReport>();

  /** `time` is when the event happened. Returns a block when the event completes one. */
  add(event: AgentEvent, time: Date): string | undefined {
    switch (event.type) {
      case 'round-start':
        this.protocol = event.protocol;
        return undefined;
      case 'call-end':
        this.calls.set(event.call.id, event.call);
        return undefined;
      case 'malformed':
        this.malformed.set(event.malformed.id, event.malformed);
        return undefined;
      case 'approval-request': {
        const { call, edited } = event.request;
        if (edited) this.edits.set(call.id, edited);
        return undefined;
      }
      case 'sub-agent':
        return this.innerOf(event.callId).add(event.event, time);
      case 'approval-end':
        this.decisions.set(event.callId, event.decision);
        return undefined;
      case 'tool-end':
        return this.end(event.callId, event.result, time);
      case 'run-end':
        return this.endRun(time);
      default:
        return undefined;
    }
  }

  /** A run that stops may leave calls unfinished. */
  private endRun(time: Date): string | undefined {
    const open = [...this.malformed.keys(), ...this.calls.keys()];
    const result = {
      toolName: '',
      status: 'error',
      result: 'The run ended before this call finished.',
      durationMs: 0,
    } as const;
    const blocks = open.flatMap((id) => this.end(id, { ...result, requestId: id }, time) ?? []);
    this.decisions.clear();
    this.edits.clear();
    this.inner.clear();
    return blocks.length === 0 ? undefined : blocks.join('\n');
  }

  private innerOf(callId: string): CallReport {
    const known = this.inner.get(callId) ?? new CallReport();
    this.inner.set(callId, known);
    return known;
  }

  private end(id: string, result: ToolResult, time: Date): string | undefined {
    const malformed = this.malformed.get(id);
    this.malformed.delete(id);
    if (malformed)
      return lines([this.title(time, malformed.name || '(no name)', 'malformed'), ...reason(malformed)]);
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (!call) return undefined;
    const edited = this.edits.get(id);
    return lines([
      this.title(time, call.name, call.id),
      `  arguments: ${JSON.stringify(call.arguments)}`,
      ...(edited ? [`  changed by the user to: ${JSON.stringify(edited)}`] : []),
      `  span: ${call.start}–${call.end}`,
      ...(call.mark === 'clean' ? [] : [`  mark: ${call.mark}`]),
      ...call.notes.map((note) => `  note: ${note.message}`),
      `  decision: ${decisionText(this.decisions.get(id), result)}`,
      `  status: ${result.status} in ${result.durationMs} ms`,
      `  result: ${head(result.result)}`,
    ]);
  }

  private title(time: Date, name: string, detail: string): string {
    return `[${time.toISOString()}] ${this.protocol} ${name} (${detail})`;
  }
}

function reason({ diagnostic }: MalformedCall): string[] {
  return [
    `  reason: ${diagnostic.code}: ${diagnostic.message}`,
    `  span: ${diagnostic.start}–${diagnostic.end}`,
    '  Not executed.',
  ];
}

function decisionText(decision: Decision | undefined, result: ToolResult): string {
  if (!decision) return result.status === 'denied' ? 'refused by the policy' : 'unasked';
  const verb = decision.type === 'run' ? 'run' : 'rejected';
  return `${verb} by the ${decision.by}${decision.reason === '' ? '' : `: ${decision.reason}`}`;
}

const HEAD = 400;

function head(text: string): string {
  const line = text.slice(0, HEAD).replaceAll('\n', '\n    ');
  return text.length > HEAD ? `${line}… (${text.length} characters)` : line;
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
