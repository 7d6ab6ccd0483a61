import { MarkdownStream } from '../../../src/webview/shared/markdown/markdown-stream';

const root = document.querySelector<HTMLElement>('.markdown');
if (root) {
  const stream = new MarkdownStream(root);
  addEventListener('message', ({ data }: MessageEvent<string>) => {
    stream.update({ more: data, open: true });
    const box = root.closest('.log');
    if (box) box.scrollTop = box.scrollHeight;
  });
}
