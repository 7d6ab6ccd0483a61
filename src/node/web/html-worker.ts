import { parentPort, workerData } from 'node:worker_threads';
import { NodeHtmlMarkdown } from 'node-html-markdown';

// SAFETY: `page-text.ts` is the only one to start this thread.
const { html } = workerData as { readonly html: string };

// In a thread, because some pages are made to take minutes.
parentPort?.postMessage(
  NodeHtmlMarkdown.translate(html, { ignore: ['script', 'style', 'noscript', 'template', 'svg', 'iframe'] }),
);
