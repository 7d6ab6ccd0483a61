import type { ShownPart } from '../../contract/lab-parse';
import type { Diagnostic } from '../../core/diagnostic';
import type { ToolCall } from '../../core/messages';
import { t } from '../shared/l10n';
import type { TextSpan } from '../shared/text-spans';

/** A part of a reply that is told of beside the text; its id is that of its span. */
export interface FoundCall {
  readonly id: string;
  readonly call: ToolCall;
}

export interface FoundProblem {
  readonly id: string;
  readonly kind: 'malformed' | 'warning';
  /** Of the tool, where it could be read. */
  readonly name: string;
  readonly diagnostic: Diagnostic;
}

export function parsedCalls(parts: readonly ShownPart[]): readonly FoundCall[] {
  return parts.flatMap((part, index) => (part.type === 'call' ? [{ id: idOf(index), call: part.call }] : []));
}

export function foundProblems(parts: readonly ShownPart[]): readonly FoundProblem[] {
  return parts.flatMap((part, index): FoundProblem[] => {
    const id = idOf(index);
    if (part.type === 'malformed') {
      const { name, diagnostic } = part.malformed;
      return [{ id, kind: 'malformed', name, diagnostic }];
    }
    if (part.type === 'warning') return [{ id, kind: 'warning', name: '', diagnostic: part.diagnostic }];
    return [];
  });
}

/** Where the parts stand in the raw text, as far as they do. */
export function partSpans(parts: readonly ShownPart[]): readonly TextSpan[] {
  return parts.flatMap((part, index): TextSpan[] => {
    const id = idOf(index);
    switch (part.type) {
      case 'call': {
        const { start, end, name } = part.call;
        return [{ id, kind: 'call', start, end, label: name }];
      }
      case 'malformed': {
        const { name, diagnostic } = part.malformed;
        const { start, end, code } = diagnostic;
        return [{ id, kind: 'malformed', start, end, label: name === '' ? code : name }];
      }
      case 'warning': {
        const { start, end, code } = part.diagnostic;
        return [{ id, kind: 'warning', start, end, label: code }];
      }
      case 'reasoning':
        if (!('start' in part)) return [];
        return [{ id, kind: 'reasoning', start: part.start, end: part.end, label: t('Reasoning') }];
      case 'text':
        return [];
    }
  });
}

function idOf(index: number): string {
  return `part-${index}`;
}
