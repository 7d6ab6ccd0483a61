import { createInterface } from 'node:readline';

/** Everything on standard input, as text. */
export async function readAll(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(Buffer.from(piece as Buffer));
  return Buffer.concat(pieces).toString('utf8');
}

/** Answers every line of standard input with one line, in order. Empty lines are skipped. */
export async function answerLines(answer: (line: string) => unknown): Promise<void> {
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
    if (line.trim() !== '') process.stdout.write(`${JSON.stringify(await answer(line))}\n`);
  }
}
