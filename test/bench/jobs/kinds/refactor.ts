import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const FORMAT = `function formatMoney(cents) {
  return (cents / 100).toFixed(2) + ' EUR';
}
`;

const moneyFiles = {
  'src/report.js': file`
    function formatMoney(cents) {
      return (cents / 100).toFixed(2) + ' EUR';
    }

    exports.reportLine = (month, cents) => month + ': ' + formatMoney(cents);
  `,
  'src/invoice.js': file`
    function formatMoney(cents) {
      return (cents / 100).toFixed(2) + ' EUR';
    }

    exports.invoiceLine = (article, cents) => article + ' costs ' + formatMoney(cents);
  `,
  'index.js': file`
    const { reportLine } = require('./src/report');
    const { invoiceLine } = require('./src/invoice');

    console.log(reportLine('May', 120550));
    console.log(invoiceLine('lamp', 4950));
  `,
  'package.json': file`
    {
      "name": "books",
      "version": "0.2.0",
      "main": "index.js"
    }
  `,
};

const secondsFiles = {
  'backup/schedule.py': file`
    def next_run(last, days):
        return last + days * 86400


    def is_due(last, days, now):
        return now >= next_run(last, days)


    def age_in_days(last, now):
        return (now - last) // 86400


    def is_stale(last, now):
        return now - last > 30 * 86400
  `,
  'backup/__init__.py': '',
  'backup/report.py': file`
    from backup.schedule import age_in_days, is_due, is_stale


    def report(last, now):
        state = "stale" if is_stale(last, now) else "due" if is_due(last, 7, now) else "fine"
        return f"{age_in_days(last, now)} days old, {state}"
  `,
  'README.md': file`
    # Backup

    Times are in seconds since 1970.
  `,
};

const schedule = secondsFiles['backup/schedule.py'];
const useMoney = "const { formatMoney } = require('./money');\n";

export const refactor: readonly Job[] = [
  {
    name: 'shared-function',
    kind: 'refactor',
    files: moneyFiles,
    task: 'src/report.js and src/invoice.js both define formatMoney. Move the function into a new file src/money.js and use it from there in both.',
    commands: ['node index.js'],
    check(folder) {
      folder.changedOnly('src/report.js', 'src/invoice.js', 'src/money.js');
      assert.equal(folder.node('require("./index.js")'), 'May: 1205.50 EUR\nlamp costs 49.50 EUR');
      assert.match(folder.text('src/money.js'), /toFixed/);
      for (const name of ['src/report.js', 'src/invoice.js']) {
        assert.match(folder.text(name), /require\(['"`]\.\/money(\.js)?['"`]\)|from ['"]\.\/money/);
        assert.doesNotMatch(folder.text(name), /toFixed|function formatMoney/);
      }
    },
    right: [
      {
        files: {
          'src/money.js': `${FORMAT}\nmodule.exports = { formatMoney };\n`,
          ...edited(moneyFiles, 'src/report.js', [FORMAT, useMoney]),
          ...edited(moneyFiles, 'src/invoice.js', [FORMAT, useMoney]),
        },
        answer: 'Moved.',
      },
      {
        files: {
          'src/money.js': `module.exports = ${FORMAT}`,
          ...edited(moneyFiles, 'src/report.js', [FORMAT, 'const formatMoney = require("./money.js");']),
          ...edited(moneyFiles, 'src/invoice.js', [FORMAT, 'const formatMoney = require("./money.js");']),
        },
        answer: 'Moved.',
      },
    ],
    wrong: [
      { files: { 'src/money.js': `${FORMAT}\nmodule.exports = { formatMoney };\n` }, answer: 'Moved.' },
      {
        files: {
          'src/money.js': FORMAT,
          ...edited(moneyFiles, 'src/report.js', [FORMAT, useMoney]),
          ...edited(moneyFiles, 'src/invoice.js', [FORMAT, useMoney]),
        },
        answer: 'Moved.',
      },
      {
        files: {
          'src/money.js': `${FORMAT}\nmodule.exports = { formatMoney };\n`,
          ...edited(moneyFiles, 'src/report.js', [FORMAT, useMoney]),
        },
        answer: 'Moved formatMoney into src/money.js.',
      },
    ],
  },
  {
    name: 'seconds-per-day',
    kind: 'refactor',
    files: secondsFiles,
    task: 'In backup/schedule.py the number 86400 occurs several times. Define it once as SECONDS_PER_DAY at the top of the file and use the name instead.',
    check(folder) {
      folder.changedOnly('backup/schedule.py');
      const code = folder.text('backup/schedule.py').replace(/#.*/g, '');
      assert.equal(code.match(/SECONDS_PER_DAY/g)?.length, 4);
      assert.ok((code.match(/86_?400/g)?.length ?? 0) <= 1);
      const script =
        'from backup import schedule as s; from backup.report import report; print(s.SECONDS_PER_DAY, s.next_run(5, 2), s.age_in_days(0, 200000), s.is_stale(0, 2592000), s.is_stale(0, 2592001), report(0, 604800))';
      assert.equal(folder.python(script), '86400 172805 2 False True 7 days old, due');
    },
    right: [
      {
        files: {
          'backup/schedule.py': `SECONDS_PER_DAY = 86400\n\n\n${schedule.replaceAll('86400', 'SECONDS_PER_DAY')}`,
        },
        answer: 'Done.',
      },
      {
        files: {
          'backup/schedule.py': `# 86400\nSECONDS_PER_DAY = 24 * 60 * 60\n${schedule.replaceAll('86400', 'SECONDS_PER_DAY')}`,
        },
        answer: 'Done.',
      },
    ],
    wrong: [
      { files: { 'backup/schedule.py': `SECONDS_PER_DAY = 86400\n\n\n${schedule}` }, answer: 'Done.' },
      {
        files: { 'backup/schedule.py': schedule.replaceAll('86400', 'SECONDS_PER_DAY') },
        answer: 'The number has a name now.',
      },
      {
        files: {
          'backup/schedule.py': `SECONDS_PER_DAY = 86400\n\n\n${schedule.replace('86400', 'SECONDS_PER_DAY')}`,
        },
        answer: 'Done.',
      },
    ],
  },
];
