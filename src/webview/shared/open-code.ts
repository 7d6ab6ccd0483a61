import { visibleText } from '../../base/visible-text';
import { CodeBlock } from './code-block';
import type { OpenFence } from './open-fence';
import { unfinishedCharacter } from './unfinished-character';

export interface Progress {
  /** The start of the first line that is not done with. */
  readonly end: number;
  readonly closed: boolean;
}

/** Fenced code that streams in: lines are shown as they come, until the closing fence. */
export class OpenCode {
  private readonly block: CodeBlock;
  /** How much of the line at the end is shown already. */
  private shown = 0;

  constructor(private readonly fence: OpenFence) {
    this.block = new CodeBlock(fence.info);
  }

  get element(): HTMLElement {
    return this.block.element;
  }

  /** Reads on in `text` at `from`, the start of a line. */
  read({
    text,
    from,
    open,
  }: {
    readonly text: string;
    readonly from: number;
    readonly open: boolean;
  }): Progress {
    let start = from;
    for (let newline = text.indexOf('\n', start); newline >= 0; newline = text.indexOf('\n', start)) {
      const line = text.slice(start, newline).replace(/\r$/, '');
      start = newline + 1;
      if (this.shown === 0 && this.fence.isEnd(line)) return this.close(start);
      this.show(`${line}\n`);
      this.shown = 0;
    }
    const line = text.slice(start, text.length - (open ? unfinishedCharacter(text) : 0));
    if (open) {
      if (this.shown > 0 || !this.fence.mayBecomeEnd(line)) this.show(line);
      return { end: start, closed: false };
    }
    if (this.shown > 0 || !this.fence.isEnd(line)) this.show(line);
    return this.close(text.length);
  }

  private show(line: string): void {
    const indent = line.slice(0, this.fence.indent).search(/[^ ]|$/);
    this.block.append(visibleText(line.slice(Math.max(this.shown, indent))));
    this.shown = line.length;
  }

  private close(end: number): Progress {
    this.block.close();
    return { end, closed: true };
  }
}
