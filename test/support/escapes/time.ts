import { eventually } from '../eventually';
import { letTimePass } from '../turns';
import type { Escape } from './escape';
import type { World } from './world';

/** Writes the time into a file until it is killed, and ignores signals. Writes its id, which the test uses outside. */
export const BEAT = `bash -c 'trap "" TERM HUP INT; echo $$ > pid; while :; do date +%s%N > beat; sleep 0.03; done'`;

/** Processes that would continue after the command has ended. */
export const time: readonly Escape[] = [
  { name: 'leave a process in the background', start: `${BEAT} &` },
  { name: 'leave a process without output', start: `${BEAT} < /dev/null > /dev/null 2>&1 &` },
  { name: 'leave a process that ignores the end of its terminal', start: `nohup ${BEAT} > /dev/null 2>&1 &` },
  { name: 'leave a process in a new session', start: `setsid ${BEAT} > /dev/null 2>&1 &` },
  {
    name: 'leave an orphaned process',
    start: `(setsid setsid ${BEAT} < /dev/null > /dev/null 2>&1 &)`,
  },
  {
    name: 'leave a process without its environment',
    start: `env -i PATH="$PATH" setsid ${BEAT} > /dev/null 2>&1 &`,
  },
].map(({ name, start }): Escape => ({
  name,
  prepare: (world) => world.after(() => endBeat(world)),
  attempt: () => `${start}\nwhile [ ! -s beat ]; do sleep 0.01; done`,
  succeeded: (world) => isBeating(world),
  leaves: ['beat', 'pid'],
}));

interface Beating {
  read(file: string): string | Promise<string>;
}

/** Milliseconds, of which a beat takes a few dozen. */
const MANY_BEATS = 1_500;

/** Whether the file still changes. */
export async function isBeating(place: Beating): Promise<boolean> {
  const before = await place.read('beat');
  const changed = eventually(async () => (await place.read('beat')) !== before, MANY_BEATS);
  return changed.catch(() => false);
}

/** Only for a process outside: inside, the id belongs to a different process. */
async function endBeat(world: World): Promise<void> {
  if (!(await isBeating(world))) return;
  process.kill(Number(world.read('pid')), 'SIGKILL');
  // Its last `date` may still write.
  await letTimePass(20);
}
