/** How a step of a dialog ends. */
export type Outcome<Step, Draft> =
  | {
      readonly type: 'next';
      readonly step: Step;
      readonly draft: Draft;
      /** Nothing was asked, so *Back* skips this step. */
      readonly isPassed?: boolean;
    }
  | { readonly type: 'back' }
  | { readonly type: 'left' }
  | { readonly type: 'done'; readonly draft: Draft };

interface StepPosition<Step, Draft> {
  readonly step: Step;
  readonly draft: Draft;
}

export type Steps<Step extends string, Draft> = Readonly<
  Record<Step, (draft: Draft) => Promise<Outcome<Step, Draft>>>
>;

/**
 * Runs the steps and returns the entered data; nothing if the user cancelled. *Back* returns to the last step that
 * asked something, with the data before it. `before` are states behind the first step.
 */
export async function walk<Step extends string, Draft>(
  steps: Steps<Step, Draft>,
  first: StepPosition<Step, Draft>,
  before: readonly StepPosition<Step, Draft>[] = [],
): Promise<Draft | undefined> {
  const behind = [...before];
  let here = first;
  for (;;) {
    const outcome = await steps[here.step](here.draft);
    if (outcome.type === 'done') return outcome.draft;
    if (outcome.type === 'left') return undefined;
    if (outcome.type === 'next') {
      if (outcome.isPassed !== true) behind.push(here);
      here = { step: outcome.step, draft: outcome.draft };
      continue;
    }
    const last = behind.pop();
    if (!last) return undefined;
    here = last;
  }
}
