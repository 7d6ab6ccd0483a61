/** Two ways to do the same work, measured in turns, so that a busy machine slows both. */
export interface Sides<T> {
  readonly own: () => T;
  readonly bare: () => T;
}

export interface Compared {
  /** Median of the ratios of all pairs of runs. */
  readonly ratio: number;
  /** Milliseconds, medians. */
  readonly own: number;
  readonly bare: number;
}

/** Runs both sides one after the other, alternating which is first. The first pair warms up. */
export async function compare(runs: number, sides: Sides<Promise<number>>): Promise<Compared> {
  const own: number[] = [];
  const bare: number[] = [];
  for (let run = -1; run < runs; run++) {
    const measured = { own: 0, bare: 0 };
    for (const side of run % 2 === 0 ? (['own', 'bare'] as const) : (['bare', 'own'] as const)) {
      measured[side] = await sides[side]();
    }
    if (run < 0) continue;
    own.push(measured.own);
    bare.push(measured.bare);
  }
  const ratio = median(own.map((time, run) => time / (bare[run] ?? NaN)));
  return { ratio, own: median(own), bare: median(bare) };
}

/** Milliseconds of one run of something short: times as many runs together as the clock needs to measure them. */
export function timeOf(work: () => unknown, leastMs = 4): number {
  let times = 0;
  const start = performance.now();
  let now = start;
  for (; now - start < leastMs; now = performance.now()) {
    work();
    times++;
  }
  return (now - start) / times;
}

/** The slope of the logarithms: 1 is linear, 2 is quadratic. */
export function exponent(points: readonly (readonly [number, number])[]): number {
  const logs = points.map(([x, y]): [number, number] => [Math.log(x), Math.log(y)]);
  const mean = (at: 0 | 1): number => logs.reduce((sum, each) => sum + each[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const slope = logs.reduce((sum, each) => sum + (each[0] - x) * (each[1] - y), 0);
  return slope / logs.reduce((sum, each) => sum + (each[0] - x) ** 2, 0);
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN;
}
