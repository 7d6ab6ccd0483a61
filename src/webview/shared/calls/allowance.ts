import type { CallState } from '../../../core/transcript/transcript';
import { t, translated } from '../l10n';

/** What allowed a call to run, in a word and in a sentence. */
interface Allowance {
  readonly word: string;
  readonly sentence: string;
}

/** For a call that runs or ran. Nothing if it only read the workspace, which every call may do. */
export function allowanceOf(state: CallState): Allowance | undefined {
  if (state.type !== 'running' && state.type !== 'asking' && state.type !== 'ended') return undefined;
  const { approval, allowedBy } = state;
  const decision = approval?.decision;
  if (decision?.type === 'run' && decision.by === 'user') {
    const sentence =
      decision.reason === ''
        ? t('You allowed it.')
        : t('You allowed it, and from now on: {0}.', translated(decision.reason));
    return { word: t('by you'), sentence };
  }
  if (allowedBy === undefined) return undefined;
  return { word: t('unasked'), sentence: t('Ran without asking: {0}.', translated(allowedBy)) };
}
