import { visibleText } from '../base/text';
import type { DoctorReport, ReportRow } from './report';
import { threeInARow, wilson, type Interval, type Tally } from './statistics';
import { tasks } from './tasks';
import type { WayAdvice, WorkRow } from './work-report';

/** One row of a table: all tasks of a protocol. */
interface Total extends Tally {
  readonly protocol: string;
  readonly clean: number;
  readonly made: number;
  readonly tokens: number;
}

/** The best first. */
export function totalsOf({ rows }: Pick<DoctorReport, 'rows'>): readonly Total[] {
  const ids = [...new Set(rows.map(({ protocol }) => protocol))];
  const totals = ids.map((protocol) => {
    const own = rows.filter((row) => row.protocol === protocol);
    const sum = (count: (row: ReportRow) => number): number =>
      own.reduce((total, row) => total + count(row), 0);
    return {
      protocol,
      right: sum(({ right }) => right),
      n: sum(({ n }) => n),
      clean: sum(({ clean }) => clean),
      made: sum(({ n, none }) => n - none),
      tokens: sum(({ tokens }) => tokens),
    };
  });
  return totals.toSorted((one, other) => share(other) - share(one));
}

function share({ right, n }: Tally): number {
  return n === 0 ? 0 : right / n;
}

/** `68–100 %`: the interval of the true share at 95 %. */
function intervalText([low, high]: Interval): string {
  return `${Math.round(low * 100)}–${Math.round(high * 100)} %`;
}

/** For a terminal: a table, and the recommendation. */
export function reportText(report: DoctorReport): string {
  const { model, endpoint, server, speed, why } = report;
  const cells = totalsOf(report).map((total) => [
    total.protocol,
    `${total.right} of ${total.n}`,
    intervalText(wilson(total)),
    intervalText(threeInARow(wilson(total))),
    `${total.clean} of ${total.made}`,
    ...tasks.map(({ id }) =>
      taskText(report.rows.find((row) => row.protocol === total.protocol && row.task === id)),
    ),
  ]);
  const head = ['protocol', 'right', '95 % of', '3 in a row', 'clean calls', ...tasks.map(({ id }) => id)];
  const speeds = [
    ...(speed.prompt === undefined ? [] : [`reads ${speed.prompt} tokens a second`]),
    ...(speed.output === undefined ? [] : [`writes ${speed.output}`]),
  ];
  const about = [model, `at ${endpoint}`, ...(server === '' ? [] : [server]), ...speeds].join(', ');
  const tables = [workTable(report), cells.length === 0 ? [] : [head, ...cells]].filter(
    ({ length }) => length > 0,
  );
  return visibleText([about, ...tables.map(table), `${why}\n`].join('\n\n'));
}

/** `1/3 (1 wrong, 1 no call)` */
function taskText(row: ReportRow | undefined): string {
  if (!row) return '';
  if (row.n === 0) return 'skipped';
  const { wrong, noCall, malformed } = outcomesOf(row);
  const faults = [
    ...(wrong > 0 ? [`${wrong} wrong`] : []),
    ...(noCall > 0 ? [`${noCall} no call`] : []),
    ...(malformed > 0 ? [`${malformed} malformed`] : []),
  ];
  return `${row.right}/${row.n}${faults.length > 0 ? ` (${faults.join(', ')})` : ''}`;
}

/** A table of the work exam: a row for each way, a column for each job. */
function workTable({ work = [] }: DoctorReport): readonly (readonly string[])[] {
  const jobs = [...new Set(work.map(({ job }) => job))];
  const ways = [...new Set(work.map(wayName))];
  const rows = ways.map((name) => {
    const own = work.filter((row) => wayName(row) === name);
    const solved = own.filter(({ outcome }) => outcome === 'solved').length;
    const cells = jobs.map((job) => {
      const row = own.find((each) => each.job === job);
      return row ? `${WORDS[row.outcome]}, ${row.seconds} s` : '';
    });
    return [name, `${solved} of ${own.length}`, ...cells];
  });
  return rows.length === 0 ? [] : [['way to work', 'right', ...jobs], ...rows];
}

/** `plain+forced, one call a step, few tools, temperature 0.2` */
function wayName({ protocol, steps, tools, temperature }: WayAdvice): string {
  const words = [
    protocol,
    steps === 'one' ? 'one call a step' : 'many calls',
    `${tools} tools`,
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
  ];
  return words.join(', ');
}

const WORDS = { solved: 'right', wrong: 'wrong', 'no-call': 'no call' } as const satisfies Readonly<
  Record<WorkRow['outcome'], string>
>;

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** A standalone page: one section for each report and, if there are several, a table of the best. */
export function reportPage(reports: readonly DoctorReport[]): string {
  const sections = reports.map(section).join('\n');
  const board = reports.length > 1 ? leaderboard(reports) : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Parley doctor</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { max-width: 1100px; margin: 2em auto; padding: 0 1em; }
div { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 4px 8px; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); text-align: start; }
td.share { background: color-mix(in srgb, #2a9d4a calc(var(--share) * 45%), transparent); }
</style>
</head>
<body>
<h1>Which protocol a model speaks best</h1>
${board}${sections}
</body>
</html>
`;
}

function leaderboard(reports: readonly DoctorReport[]): string {
  const ranked = reports
    .map((report) => ({
      report,
      best: totalsOf(report).find(({ protocol }) => protocol === report.recommended),
    }))
    .toSorted((one, other) => share(other.best ?? NOTHING) - share(one.best ?? NOTHING));
  const rows = ranked.map(({ report, best }) => {
    const found = best
      ? [best.protocol, `${best.right} of ${best.n}`, intervalText(wilson(best))]
      : ['none', '', ''];
    return [report.model, report.server, ...found].map((cell) => `<td>${escaped(cell)}</td>`).join('');
  });
  const head = ['model', 'server', 'best protocol', 'right', '95 % of'];
  return htmlTable('All models', head, rows);
}

const NOTHING: Tally = { right: 0, n: 0 };

function section(report: DoctorReport): string {
  const { model, endpoint, server, speed, window, seed, time, parley, why } = report;
  const facts = [
    endpoint,
    server,
    ...(window === undefined ? [] : [`window of ${window} tokens`]),
    ...(speed.prompt === undefined ? [] : [`reads ${speed.prompt} tokens a second`]),
    ...(speed.output === undefined ? [] : [`writes ${speed.output} tokens a second`]),
    `Parley ${parley}`,
    `seed ${seed}`,
    time,
  ].filter(Boolean);
  const rows = totalsOf(report).map((total) => {
    const cells = tasks.map(({ id }) =>
      taskCell(report.rows.find((row) => row.protocol === total.protocol && row.task === id)),
    );
    const firsts = [
      total.protocol,
      `${total.right} of ${total.n}`,
      intervalText(wilson(total)),
      intervalText(threeInARow(wilson(total))),
      `${total.clean} of ${total.made}`,
    ];
    return `${firsts.map((cell) => `<td>${escaped(cell)}</td>`).join('')}${cells.join('')}`;
  });
  const head = [
    'protocol',
    'right',
    '95 % of',
    '3 in a row',
    'clean calls',
    ...tasks.map(({ title }) => title),
  ];
  const [workHead, ...workRows] = workTable(report);
  const work = workHead
    ? htmlTable(
        `Work of ${model}`,
        workHead,
        workRows.map((cells) => cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')),
      )
    : '';
  const exams = rows.length === 0 ? '' : htmlTable(`Results of ${model}`, head, rows);
  return `<h2>${escaped(model)}</h2>\n<p>${escaped(facts.join(' · '))}</p>\n<p>${escaped(why)}</p>\n${work}${exams}`;
}

function taskCell(row: ReportRow | undefined): string {
  if (!row || row.n === 0) return `<td>${taskText(row)}</td>`;
  return `<td class="share" style="--share:${(row.right / row.n).toFixed(2)}">${taskText(row)}</td>`;
}

function htmlTable(label: string, head: readonly string[], rows: readonly string[]): string {
  const heads = head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join('');
  const body = rows.map((row) => `<tr>${row}</tr>`).join('\n');
  return `<div><table aria-label="${escaped(label)}">\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table></div>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return visibleText(text).replace(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}

/** How the exams of a task ended. The numbers add up to those that were taken. */
export interface Outcomes {
  readonly right: number;
  /** Readable, but not what was asked for: wrong arguments, another tool, a wrong answer. */
  readonly wrong: number;
  /** A call was needed, and there was none. */
  readonly noCall: number;
  /** A call could not be read, or was written in the form of another protocol. */
  readonly malformed: number;
}

export function outcomesOf(
  row: Pick<ReportRow, 'task' | 'n' | 'right' | 'none' | 'recovered' | 'malformed'>,
): Outcomes {
  const { task, n, right } = row;
  const needsCall = tasks.some(({ id, needsCall: isNeeded }) => id === task && isNeeded);
  const noCall = needsCall ? row.none : 0;
  const malformed = row.malformed + row.recovered;
  return { right, noCall, malformed, wrong: n - right - noCall - malformed };
}
