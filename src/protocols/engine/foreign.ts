import type { Diagnostic } from '../../core/words/messages';
import { warning } from './calls';
import type { Span } from './reader';

/** What is said of text in another form than the one in use. */

export const IN_THE_OPEN = 'Write calls in the open, never inside a code fence.';

export function foreignBlock(span: Span, form: string): Diagnostic {
  const message = `The model wrote a call in the form "${form}", which is not the one in use; it was not run.`;
  return { ...warning(span, 'foreign-block', message, 'Write calls in the form shown.'), seen: form };
}

export function unreadForm(span: Span, form: string): Diagnostic {
  const message = `The model wrote something in the form "${form}" that cannot be read as a call.`;
  return { ...warning(span, 'unread-form', message, 'Write calls in the form shown.'), seen: form };
}

export function fencedCall(span: Span, form: string): Diagnostic {
  const message = `A call in the form "${form}" stands inside a code fence and was not run.`;
  return { ...warning(span, 'call-in-code', message, IN_THE_OPEN), seen: form };
}

export function insideForeign(span: Span): Diagnostic {
  const message = 'The call stands inside a block in another form that cannot be read.';
  return warning(span, 'inside-foreign', message, 'Write calls in the open and in the form shown.');
}
