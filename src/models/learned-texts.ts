import type { FactsOfModel } from './model-facts';
import { isEnforced } from './form/form-probe';
import { quirkTexts } from './quirks/quirks';

/** What requests have taught about an endpoint and a model, one sentence each, for people. */
export function learnedTexts(facts: FactsOfModel): readonly string[] {
  const { needsReasoning, refusesReasoning, needsSignatures, refusesSignatures } = facts.requirements.read();
  const { tokens } = facts.context.read().window ?? {};
  const { protocol } = facts.spoken.read();
  const lost = facts.lostMarkers.read().protocols ?? [];
  const forms = Object.values(facts.forms.read());
  const texts = [
    ...quirkTexts(facts.quirks.read()),
    needsReasoning && 'The endpoint requires thinking in the history.',
    refusesReasoning && 'The endpoint refuses thinking in the history.',
    needsSignatures && 'The endpoint requires signatures of calls.',
    refusesSignatures && 'The endpoint no longer accepts the signatures that it has sent.',
    tokens !== undefined && `The window has ${tokens} tokens.`,
    protocol !== undefined && `The model writes its calls in the protocol ${protocol}.`,
    lost.length > 0 && `The server drops control tokens of these protocols: ${lost.join(', ')}.`,
    forms.length > 0 &&
      (forms.some(isEnforced)
        ? 'The server can enforce the form of replies.'
        : 'The server cannot enforce the form of replies.'),
  ];
  return texts.filter((text) => typeof text === 'string');
}
