import { visibleText } from '../../base/visible-text';
import { CodeBlock } from './code-block';
import { LineBoxes } from './line-boxes';
import { MarkdownRenderer } from './markdown-renderer';
import type { Block } from './markdown-renderer';
import { OpenCode } from './open-code';
import { openFence } from './open-fence';
import { growPlainly } from './plain-growth';
import { sanitize } from './sanitize';
import { unfinishedCharacter } from './unfinished-character';

/** What stands behind this much Markdown is shown as plain lines. */
const LONGEST = 256 * 1024;

/** Up to this length the open block is drawn whenever it grows. */
const CHEAP = 4 * 1024;

/** Blocks that are drawn for good stand together in boxes: few boxes are laid out faster than many blocks. */
const BLOCKS_IN_BOX = 20;

/**
 * Shows Markdown that grows at its end. A block that cannot change any more is drawn once and left alone; only the
 * open block at the end is drawn again, and open code grows line by line, so the whole costs about what its length says.
 */
export class MarkdownStream {
  private readonly renderer = new MarkdownRenderer();
  private readonly openBlock = document.createElement('div');
  private text = '';
  /** Up to here the text is drawn for good. */
  private done = 0;
  /** Length of the text when the open block was drawn last. */
  private drawn = 0;
  private box: HTMLElement | undefined;
  private code: OpenCode | undefined;
  private rest: LineBoxes | undefined;
  private restDone = LONGEST;

  constructor(private readonly root: HTMLElement) {
    this.openBlock.className = 'open-block';
    root.replaceChildren(this.openBlock);
  }

  /** `text` is all of it so far, only ever longer; `open` says that more may follow. */
  update({ text, open }: { readonly text: string; readonly open: boolean }): void {
    const isTooLong = text.length > LONGEST;
    if (!this.rest) this.drawMarkdown({ text: text.slice(0, LONGEST), open: open && !isTooLong });
    if (isTooLong) this.drawRest(text, open);
  }

  private drawMarkdown({ text, open }: { readonly text: string; readonly open: boolean }): void {
    const isShown = open && this.addWords(text);
    this.text = text;
    if (isShown) {
      this.drawn = text.length;
      return;
    }
    if (open && !this.code && !this.isWorthDrawing()) return;
    this.drawn = text.length;
    while (this.code ? this.advanceCode(this.code, open) : this.advanceBlocks(open)) {
      // Each step draws one stretch of the text for good.
    }
  }

  private drawRest(text: string, open: boolean): void {
    if (!this.rest) {
      const element = document.createElement('div');
      element.className = 'plain-rest';
      this.root.append(element);
      this.rest = new LineBoxes(element);
    }
    const end = text.length - (open ? unfinishedCharacter(text) : 0);
    this.rest.append(visibleText(text.slice(this.restDone, end)));
    this.restDone = end;
  }

  /** Answers whether the open block shows all of the text now. */
  private addWords(text: string): boolean {
    if (this.code || this.drawn < this.text.length) return false;
    return growPlainly(this.openBlock, this.text.slice(this.done), text.slice(this.text.length));
  }

  /** A long open block waits until it has grown by a part of itself, or drawing it would cost more and more. */
  private isWorthDrawing(): boolean {
    return this.text.length - this.drawn > Math.max(0, this.drawn - this.done - CHEAP) / 32;
  }

  /** Both answer whether another step may draw more for good. */
  private advanceCode(code: OpenCode, open: boolean): boolean {
    const { end, closed } = code.read({ text: this.text, from: this.done, open });
    this.done = end;
    if (closed) this.code = undefined;
    return closed && end < this.text.length;
  }

  private advanceBlocks(open: boolean): boolean {
    const source = this.text.slice(this.done);
    const opening = /^(?:[ \t]*\r?\n)*([^\r\n]*)\r?\n/.exec(source);
    const fence = opening && openFence(opening[1] ?? '');
    if (fence) {
      this.openBlock.replaceChildren();
      this.code = new OpenCode(fence);
      this.add(this.code.element);
      this.done += opening[0].length;
      return true;
    }
    return this.drawBlocks(source, open);
  }

  private drawBlocks(source: string, open: boolean): boolean {
    const shown = open ? source.slice(0, source.length - heldBack(source)) : source;
    const starts = lineStarts(shown);
    const blocks = this.renderer.blocks(visibleText(shown));
    const settled = open ? blocks.slice(0, settledBlocks(blocks, starts.length - 1)) : blocks;
    this.settle(settled);
    const next = blocks[settled.length];
    if (settled.length > 0) {
      const length = next ? (starts[next.line] ?? shown.length) : source.length;
      this.renderer.keepDefinitions(source.slice(0, length));
      this.done += length;
      // The open block may be code, which the next step draws line by line.
      if (next?.tokens[0]?.type === 'fence') return true;
    }
    this.openBlock.replaceChildren(this.rendered(blocks.slice(settled.length)));
    return false;
  }

  private settle(blocks: readonly Block[]): void {
    let run: Block[] = [];
    const flush = (): void => {
      for (const element of [...withCodeBlocks(this.rendered(run)).children]) this.add(element);
      run = [];
    };
    for (const block of blocks) {
      const [first] = block.tokens;
      if (first?.type === 'fence') {
        flush();
        this.add(codeBlock(first.content, first.info));
      } else {
        run.push(block);
      }
    }
    flush();
  }

  private add(element: Element): void {
    if (!this.box || this.box.childElementCount === BLOCKS_IN_BOX) {
      this.box = document.createElement('div');
      this.box.className = 'block-box';
      this.root.insertBefore(this.box, this.openBlock);
    }
    this.box.append(element);
  }

  private rendered(blocks: readonly Block[]): DocumentFragment {
    return sanitize(blocks.map((block) => this.renderer.html(block)).join(''));
  }
}

/** A block ends where another begins, once the line on which that one begins is complete. */
function settledBlocks(blocks: readonly Block[], completeLines: number): number {
  return Math.max(
    blocks.findLastIndex((block) => block.line < completeLines),
    0,
  );
}

/** Code inside a list or a quote, and indented code. */
function withCodeBlocks(nodes: DocumentFragment): DocumentFragment {
  for (const pre of nodes.querySelectorAll('pre')) {
    const language = /language-(\S+)/.exec(pre.firstElementChild?.className ?? '')?.[1] ?? '';
    pre.replaceWith(codeBlock(pre.textContent, language));
  }
  return nodes;
}

function codeBlock(code: string, info: string): HTMLElement {
  const block = new CodeBlock(info);
  block.append(code);
  block.close();
  return block.element;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Marks at the very end may turn the line before them into a heading: they wait for what follows. */
function heldBack(text: string): number {
  const marks = /(?:^|\n)([ \t]*[-=+*#>`~|:\d.)]{1,8}[ \t]*)$/.exec(text.slice(-20));
  return marks?.[1]?.length ?? unfinishedCharacter(text);
}
