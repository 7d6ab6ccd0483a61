import { visibleText } from '../../../base/text';
import { LineBoxes, unfinishedCharacter } from '../text/line-boxes';
import { linkPaths } from '../text/path-anchors';
import { CodeBlock, openFence, sanitize } from './code-block';
import { MarkdownRenderer, type Block } from './markdown-renderer';
import { OpenCode } from './open-code';
import { growPlainly } from './plain-growth';

/** Text after this much Markdown is shown as plain lines. */
const LONGEST = 256 * 1024;

/** Up to this length, the open block is redrawn whenever it grows. */
const CHEAP = 4 * 1024;

/** Finished blocks are grouped in boxes: few boxes are laid out faster than many blocks. */
const BLOCKS_IN_BOX = 50;

/**
 * Renders growing Markdown. A finished block is drawn once; only the open block at the end is redrawn, and open code
 * grows line by line, so the total cost is about linear.
 */
export class MarkdownStream {
  private readonly renderer = new MarkdownRenderer();
  private readonly openBlock = document.createElement('div');
  /** All text received. */
  private length = 0;
  /** Text that is not drawn for good. Only this is parsed, however long the whole is. */
  private source = '';
  /** Length of the source when the open block was drawn last. */
  private drawn = 0;
  private box: HTMLElement | undefined;
  private code: OpenCode | undefined;
  private rest: LineBoxes | undefined;
  private restHeld = '';

  constructor(private readonly root: HTMLElement) {
    this.openBlock.className = 'open-block';
    root.replaceChildren(this.openBlock);
  }

  /** Appends `more`; `open` means that more may follow. */
  update({ more, open }: { readonly more: string; readonly open: boolean }): void {
    const room = Math.max(0, LONGEST - this.length);
    this.length += more.length;
    const isTooLong = this.length > LONGEST;
    if (!this.rest) this.drawMarkdown({ more: more.slice(0, room), open: open && !isTooLong });
    if (isTooLong) this.drawRest(more.slice(room), open);
  }

  private drawMarkdown({ more, open }: { readonly more: string; readonly open: boolean }): void {
    const isShown = open && this.addWords(more);
    this.source += more;
    if (open && !isShown && !this.code && !this.isWorthDrawing()) return;
    while (!isShown && (this.code ? this.advanceCode(this.code, open) : this.advanceBlocks(open))) {
      // Each step draws one stretch of the text for good.
    }
    this.drawn = this.source.length;
  }

  private drawRest(more: string, open: boolean): void {
    if (!this.rest) {
      const element = document.createElement('div');
      element.className = 'plain-rest';
      this.root.append(element);
      this.rest = new LineBoxes(element);
    }
    const text = this.restHeld + more;
    const end = text.length - (open ? unfinishedCharacter(text) : 0);
    this.rest.append(visibleText(text.slice(0, end)));
    this.restHeld = text.slice(end);
  }

  /** Whether the open block shows all of the text now. */
  private addWords(more: string): boolean {
    if (this.code || this.drawn < this.source.length) return false;
    return growPlainly(this.openBlock, this.source, more);
  }

  /** A long open block waits until it has grown by a fraction, or redrawing would cost more and more. */
  private isWorthDrawing(): boolean {
    return this.source.length - this.drawn > Math.max(0, this.drawn - CHEAP) / 32;
  }

  /** Both return whether another step may finish more blocks. */
  private advanceCode(code: OpenCode, open: boolean): boolean {
    const behind = code.append(this.source);
    this.source = behind ?? '';
    if (behind === undefined && !open) code.end();
    if (behind !== undefined || !open) this.code = undefined;
    return this.source !== '';
  }

  private advanceBlocks(open: boolean): boolean {
    const { source } = this;
    const opening = /^(?:[ \t]*\r?\n)*([^\r\n]*)\r?\n/.exec(source);
    const fence = opening && openFence(opening[1] ?? '');
    if (fence) {
      this.openBlock.replaceChildren();
      this.code = new OpenCode(fence);
      this.add(this.code.element);
      this.source = source.slice(opening[0].length);
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
      this.source = source.slice(length);
      // The open block may be code, which the next step draws line by line.
      if (next?.tokens[0]?.type === 'fence') return true;
    }
    this.openBlock.replaceChildren(this.rendered(blocks.slice(settled.length)));
    return false;
  }

  private settle(blocks: readonly Block[]): void {
    let run: Block[] = [];
    const flush = (): void => {
      if (run.length === 0) return;
      const nodes = this.rendered(run);
      linkPaths(nodes);
      for (const element of [...withCodeBlocks(nodes).children]) this.add(element);
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

/** A block ends where the next one begins, once the first line of the next is complete. */
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

/** A line at the very end may turn the line before it into a heading, so it waits for more text. */
function heldBack(text: string): number {
  const marks = /(?:^|\n)([ \t]*[-=+*#>`~|:\d.)]{1,8}[ \t]*)$/.exec(text.slice(-20));
  return marks?.[1]?.length ?? unfinishedCharacter(text);
}
