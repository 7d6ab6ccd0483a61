import { parentPort, workerData } from 'node:worker_threads';
import { NodeHtmlMarkdown } from 'node-html-markdown';

// SAFETY: only `page-text.ts` starts this thread.
const { html } = workerData as { readonly html: string };

// Runs in a thread because some pages are built to take minutes.
parentPort?.postMessage(
  NodeHtmlMarkdown.translate(html, { ignore: ['script', 'style', 'noscript', 'template', 'svg', 'iframe'] }),
);
