import { isJsonObject, type Json } from '../../base/json';
import type { Diagnostic } from '../../core/words/messages';
import type { ToolSpec } from '../../core/words/tool';
import { findTool, warning, type RawCall } from './calls';
import type { Span } from './reader';

/** Diagnostics of text in another protocol's form. */

export const IN_THE_OPEN = 'Write calls outside of code fences.';

export function foreignBlock(span: Span, form: string): Diagnostic {
  const message = `The model wrote a call in the form "${form}" instead of the current one; it was not run.`;
  return { ...warning(span, 'foreign-block', message, 'Write calls in the form shown.'), seen: form };
}

export function unreadForm(span: Span, form: string): Diagnostic {
  const message = `The model wrote something in the form "${form}" that cannot be read as a call.`;
  return { ...warning(span, 'unread-form', message, 'Write calls in the form shown.'), seen: form };
}

export function fencedCall(span: Span, form: string): Diagnostic {
  const message = `A call in the form "${form}" is inside a code fence and was not run.`;
  return { ...warning(span, 'call-in-code', message, IN_THE_OPEN), seen: form };
}

export function insideForeign(span: Span): Diagnostic {
  const message = 'The call is inside an unreadable block in another form.';
  return warning(span, 'inside-foreign', message, 'Write calls directly, in the form shown.');
}

export function areOffered(calls: readonly RawCall[], tools: readonly ToolSpec[] = []): boolean {
  return calls.every(({ name }) => findTool(tools, name) !== undefined);
}

/** Phrases that introduce an example, at the end of the preceding text. */
const INTRODUCES =
  /(?:\bfor (?:example|instance)\b[^\n]{0,40}|\be\.g\.[^\n]{0,40}|\b(?:example|looks? like(?: this)?) ?:|(?:例如|比如|示例)[^\n]{0,20})\s*$/i;
/** An unknown tag or token: what follows is its content. */
const UNKNOWN_TAG = /<[^<>\n]{1,80}>\s*$/;

/** Whether the text before a block says that the block is only an example. */
export function introducesExample(before: string, hasMarks: boolean): boolean {
  return INTRODUCES.test(before) || (!hasMarks && UNKNOWN_TAG.test(before));
}

/** Placeholders that templates and documents write instead of a value. */
const PLACEHOLDER = /^(?:\$PARAMETER_\w+|\{arg-(?:key|value)-\d\}|value_\d|\.\.\.|…)$/;

/** Whether calls are only a template: one of their values is a placeholder. */
export function isTemplate(calls: readonly RawCall[]): boolean {
  const isPlaceholder = (value: Json): boolean =>
    typeof value === 'string'
      ? PLACEHOLDER.test(value.trim())
      : isJsonObject(value) && Object.values(value).some(isPlaceholder);
  return calls.some((call) => isPlaceholder(call.arguments));
}
