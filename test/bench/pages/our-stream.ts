import { MarkdownStream } from '../../../src/webview/shared/markdown-stream';

const root = document.querySelector<HTMLElement>('.markdown');
if (root) {
  const stream = new MarkdownStream(root);
  let text = '';
  addEventListener('message', ({ data }: MessageEvent<string>) => {
    text += data;
    stream.update({ text, open: true });
    const box = root.closest('.log');
    if (box) box.scrollTop = box.scrollHeight;
  });
}
