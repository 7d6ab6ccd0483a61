import type { Parsed } from './parse';

/** One line a person can read: text, reasoning, calls with marks and notes, rejections, warnings. */
export function summary(parsed: Parsed): string {
  const calls = [
    ...parsed.calls.map((call) => ({
      start: call.start,
      line: [
        call.name,
        JSON.stringify(call.arguments),
        ...(call.mark === 'clean' ? [] : [call.mark]),
        ...(call.notes.length === 0 ? [] : [`[${call.notes.join(', ')}]`]),
      ].join(' '),
    })),
    ...parsed.errors.map(({ start, name, code }) => ({
      start,
      line: ['rejects', name, code].filter(Boolean).join(' '),
    })),
  ];
  return [
    ...(parsed.text === '' ? [] : [`text ${JSON.stringify(parsed.text)}`]),
    ...(parsed.reasoning === '' ? [] : [`reasoning ${JSON.stringify(parsed.reasoning)}`]),
    ...calls.sort((a, b) => a.start - b.start).map(({ line }) => line),
    ...parsed.warnings.map((code) => `warns ${code}`),
  ].join(' | ');
}
