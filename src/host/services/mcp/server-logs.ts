import * as vscode from 'vscode';
import { limits } from '../../../base/limits';
import { visibleText } from '../../../base/text';
import { shownName } from './shown-server';

/** The last output and events of each server. An output channel is created when it is first shown. */
export class ServerLogs implements vscode.Disposable {
  private readonly logs = new Map<string, ServerLog>();

  /** `redact` removes keys from the log. */
  constructor(private readonly redact: (text: string) => string) {}

  add(server: string, text: string): void {
    this.of(server).add(text);
  }

  show(server: string): void {
    this.of(server).show();
  }

  dispose(): void {
    for (const log of this.logs.values()) log.dispose();
  }

  private of(server: string): ServerLog {
    const known = this.logs.get(server) ?? new ServerLog(server, this.redact);
    this.logs.set(server, known);
    return known;
  }
}

/** A server may write without end. */
const DRAWN_EVERY_MS = 100;

class ServerLog implements vscode.Disposable {
  private readonly lines: string[] = [];
  /** Characters. */
  private size = 0;
  private channel: vscode.OutputChannel | undefined;
  private drawing: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly server: string,
    private readonly redact: (text: string) => string,
  ) {}

  add(text: string): void {
    const line = `${text.slice(-limits.mcpStderrBytes)}\n`;
    this.lines.push(line);
    this.size += line.length;
    while (this.size > limits.mcpStderrBytes && this.lines.length > 1)
      this.size -= this.lines.shift()?.length ?? 0;
    if (this.channel) this.drawing ??= setTimeout(() => this.draw(), DRAWN_EVERY_MS);
  }

  show(): void {
    this.channel ??= vscode.window.createOutputChannel(`Parley MCP: ${shownName(this.server)}`);
    this.draw();
    this.channel.show(true);
  }

  dispose(): void {
    clearTimeout(this.drawing);
    this.channel?.dispose();
    this.channel = undefined;
  }

  private draw(): void {
    clearTimeout(this.drawing);
    this.drawing = undefined;
    const text = this.lines.join('') || vscode.l10n.t('The server has not written anything yet.');
    this.channel?.replace(visibleText(this.redact(text)));
  }
}
