// Replaces `@vscode/spdlog`, the server's log writer, which is native code that would have to be compiled here.
// Without a log writer the output panel stays empty, because VS Code shows its log files there.
import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const levels = ['trace', 'debug', 'info', 'warning', 'error'] as const;

class Logger {
  private level = levels.indexOf('info');
  private isPlain = false;

  constructor(private readonly file: string) {}

  trace(message: string): void {
    this.write('trace', message);
  }
  debug(message: string): void {
    this.write('debug', message);
  }
  info(message: string): void {
    this.write('info', message);
  }
  warn(message: string): void {
    this.write('warning', message);
  }
  error(message: string): void {
    this.write('error', message);
  }
  setLevel(level: number): void {
    this.level = level;
  }
  /** VS Code uses one pattern: time, level and message. */
  setPattern(): void {
    this.isPlain = false;
  }
  clearFormatters(): void {
    this.isPlain = true;
  }
  flush(): void {
    // Every message is in the file at once.
  }
  drop(): void {
    // Nothing is held open.
  }

  private write(level: (typeof levels)[number], message: string): void {
    if (levels.indexOf(level) < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.file, this.isPlain ? message : `${time} [${level}] ${message}\n`);
  }
}

export async function createAsyncRotatingLogger(_name: string, file: string): Promise<Logger> {
  mkdirSync(path.dirname(file), { recursive: true });
  return new Logger(file);
}

export function setFlushOn(): void {
  // Every message is in the file at once.
}
