import MarkdownIt from 'markdown-it';

/** The usual good way to show streamed Markdown: finished blocks stay, the last one is rendered again each time. */
class LastBlock {
  private readonly markdown = new MarkdownIt({ linkify: true, breaks: true });
  private readonly open = document.createElement('div');
  private text = '';
  private done = 0;

  constructor(private readonly root: HTMLElement) {
    root.replaceChildren(this.open);
  }

  append(piece: string): void {
    this.text += piece;
    const source = this.text.slice(this.done);
    const starts = this.markdown
      .parse(source, {})
      .flatMap(({ level, nesting, map }) => (level === 0 && nesting >= 0 && map ? [map[0]] : []));
    const length = lengthOfLines(source, starts.at(-1) ?? 0);
    if (length > 0) {
      const block = document.createElement('div');
      block.innerHTML = this.markdown.render(source.slice(0, length));
      this.root.insertBefore(block, this.open);
      this.done += length;
    }
    this.open.innerHTML = this.markdown.render(source.slice(length));
    const box = this.root.closest('.log');
    if (box) box.scrollTop = box.scrollHeight;
  }
}

function lengthOfLines(text: string, lines: number): number {
  let end = 0;
  for (let line = 0; line < lines; line++) end = text.indexOf('\n', end) + 1;
  return end;
}

const root = document.querySelector<HTMLElement>('.markdown');
if (root) {
  const lastBlock = new LastBlock(root);
  // Like the chat page's events, so that the browser measures the script time of both.
  addEventListener('message', ({ data }: MessageEvent<string>) => lastBlock.append(data));
}
