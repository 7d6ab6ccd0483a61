// What inspecting a reply of 5 MB costs: the time compared with parsing alone, and the longest time that the
// extension host is blocked, as a share of what parsing there would take. The bar: 100 ms.
import { parseReply } from '../../src/core/reply/parse-reply';
import { parseInThread } from '../../src/host/ui/lab/parse-thread';
import { replyDeltas } from '../../src/models/recorded-reply';
import { findProtocol } from '../../src/protocols';
import { measureEventLoopDelay } from '../support/measure/event-loop-delay';
import { compare } from './measure';

const RUNS = 9;

const CALL = '<tool_call>{"name":"read_file","arguments":{"path":"a.txt"}}</tool_call>';

const REPLIES: Readonly<Record<string, string>> = {
  'short lines': `${'A line of text that goes on for a while.\n'.repeat(125_000)}${CALL}`,
  'one line': `${'x'.repeat(5_000_000)}${CALL}`,
  'one argument': `<tool_call>{"name":"write_file","arguments":{"content":"${'a\\n'.repeat(1_600_000)}"}}</tool_call>`,
  'never closed': `<tool_call>{"name":"write_file","arguments":{"content":"${'a\\n'.repeat(1_600_000)}`,
};

async function main(): Promise<void> {
  const hermes = findProtocol('hermes');
  if (!hermes) throw new Error('There is no protocol hermes.');
  const never = new AbortController().signal;
  for (const [name, reply] of Object.entries(REPLIES)) {
    const options = { tools: [], strictness: 'repair', recover: true } as const;
    const reading = { ...options, reply, protocol: 'hermes', chunk: 0 };
    let blocked = 0;
    const { ratio, own, bare } = await compare(RUNS, {
      own: async () => {
        const start = performance.now();
        const { blockedMs } = await measureEventLoopDelay(() =>
          parseInThread({ type: 'reply', reading, promptForm: 'full' }, never),
        );
        blocked = Math.max(blocked, blockedMs);
        return performance.now() - start;
      },
      bare: async () => {
        const start = performance.now();
        parseReply(hermes, replyDeltas('hermes', reply, 0), { recover: true });
        return performance.now() - start;
      },
    });
    const share = blocked / bare;
    console.log(
      `${name.padEnd(14)} ${ratio.toFixed(2)} (${own.toFixed(0)} ms against ${bare.toFixed(0)} ms), blocked for ${share.toFixed(2)} of parsing (${blocked} ms)`,
    );
  }
}

void main();
