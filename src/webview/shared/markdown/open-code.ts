import { visibleText } from '../../../base/text';
import { unfinishedCharacter } from '../text/line-boxes';
import { CodeBlock, type UnclosedBlock } from './code-block';

/** Streaming fenced code: lines are shown as they arrive, until the closing fence. */
export class OpenCode {
  private readonly block: CodeBlock;
  /** The part of the last line that is not shown yet. */
  private held = '';
  private isLineShown = false;

  constructor(private readonly fence: UnclosedBlock) {
    this.block = new CodeBlock(fence.info);
  }

  get element(): HTMLElement {
    return this.block.element;
  }

  /** Returns the text after the closing fence once it has arrived. */
  append(more: string): string | undefined {
    const text = this.held + more;
    let start = 0;
    for (let newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', start)) {
      const line = text.slice(start, newline).replace(/\r$/, '');
      start = newline + 1;
      if (!this.isLineShown && this.fence.isEnd(line)) {
        this.block.close();
        return text.slice(start);
      }
      this.show(`${line}\n`);
      this.isLineShown = false;
    }
    this.held = text.slice(start);
    const whole = this.held.slice(0, this.held.length - unfinishedCharacter(this.held));
    if (this.isLineShown || !this.fence.mayBecomeEnd(whole)) {
      this.show(whole);
      this.isLineShown = true;
      this.held = this.held.slice(whole.length);
    }
    return undefined;
  }

  /** The stream has ended. */
  end(): void {
    if (this.isLineShown || !this.fence.isEnd(this.held)) this.show(this.held);
    this.block.close();
  }

  private show(text: string): void {
    const indent = this.isLineShown ? 0 : text.slice(0, this.fence.indent).search(/[^ ]|$/);
    this.block.append(visibleText(text.slice(indent)));
  }
}
