const KEY = 'parley.rulesToldOf';

/** How many rules are remembered; the oldest are forgotten. */
const MOST = 200;

interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Whether a rule has not been mentioned yet on this machine; each call mentions it. */
export function oncePerRule(memory: Memory): (rule: string) => boolean {
  return (rule) => {
    const stored = memory.get(KEY);
    const known = Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
    if (known.includes(rule)) return false;
    void memory.update(KEY, [...known, rule].slice(-MOST));
    return true;
  };
}
