import { textOf, type ParsedReply } from './parse-reply';

/** What a reply was read as, in a form that is easily compared. */
export interface ReplyFacts {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly start: number;
    /** Codes of what was noticed. */
    readonly notes: readonly string[];
    readonly mark: string;
  }[];
  readonly errors: readonly { readonly code: string; readonly name: string; readonly start: number }[];
  /** Codes. */
  readonly warnings: readonly string[];
}

/** One line that a person can read: text, reasoning, calls with marks and notes, rejections, warnings. */
export function summary(facts: ReplyFacts): string {
  const calls = [
    ...facts.calls.map((call) => ({
      start: call.start,
      line: [
        call.name,
        JSON.stringify(call.arguments),
        ...(call.mark === 'clean' ? [] : [call.mark]),
        ...(call.notes.length === 0 ? [] : [`[${call.notes.join(', ')}]`]),
      ].join(' '),
    })),
    ...facts.errors.map(({ start, name, code }) => ({
      start,
      line: ['rejects', name, code].filter(Boolean).join(' '),
    })),
  ];
  return [
    ...(facts.text === '' ? [] : [`text ${JSON.stringify(facts.text)}`]),
    ...(facts.reasoning === '' ? [] : [`reasoning ${JSON.stringify(facts.reasoning)}`]),
    ...calls.sort((a, b) => a.start - b.start).map(({ line }) => line),
    ...facts.warnings.map((code) => `warns ${code}`),
  ].join(' | ');
}

export function factsOf(reply: Pick<ParsedReply, 'parts'>): ReplyFacts {
  const { parts } = reply;
  return {
    text: textOf(reply, 'text'),
    reasoning: textOf(reply, 'reasoning'),
    calls: parts.flatMap((part) => {
      if (part.type !== 'call') return [];
      const { name, arguments: args, start, notes, mark } = part.call;
      return [{ name, arguments: args, start, notes: notes.map(({ code }) => code), mark }];
    }),
    errors: parts.flatMap((part) => {
      if (part.type !== 'malformed') return [];
      const { name, diagnostic } = part.malformed;
      return [{ code: diagnostic.code, name, start: diagnostic.start }];
    }),
    warnings: parts.flatMap((part) => (part.type === 'warning' ? [part.diagnostic.code] : [])),
  };
}
