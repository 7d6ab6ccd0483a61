/** Counts of a model's calls in a protocol. Contains nothing of their content. */
export interface CallCounts {
  readonly rounds: number;
  readonly clean: number;
  readonly repaired: number;
  readonly recovered: number;
  /** Also counts calls that name no tool, and those with invalid arguments. */
  readonly malformed: number;
  readonly unknownTool: number;
  readonly badArguments: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const noCounts: CallCounts = {
  ...{ rounds: 0, clean: 0, repaired: 0, recovered: 0, malformed: 0, unknownTool: 0, badArguments: 0 },
  ...{ inputTokens: 0, outputTokens: 0 },
};

export function sumOfCounts(one: CallCounts, other: CallCounts): CallCounts {
  return {
    rounds: one.rounds + other.rounds,
    clean: one.clean + other.clean,
    repaired: one.repaired + other.repaired,
    recovered: one.recovered + other.recovered,
    malformed: one.malformed + other.malformed,
    unknownTool: one.unknownTool + other.unknownTool,
    badArguments: one.badArguments + other.badArguments,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** All calls, in whatever form. */
export function callsIn({ clean, repaired, recovered, malformed }: CallCounts): number {
  return clean + repaired + recovered + malformed;
}
