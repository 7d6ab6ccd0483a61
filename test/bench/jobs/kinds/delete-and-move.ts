import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const exportFiles = {
  'src/index.js': file`
    const { toCsv } = require('./export/csv');
    const { toJson } = require('./export/json');

    const formats = { csv: toCsv, json: toJson };

    exports.write = (rows, format) => formats[format](rows);
  `,
  'src/export/csv.js': file`
    exports.toCsv = (rows) => rows.map((row) => row.join(',')).join('\n');
  `,
  'src/export/json.js': file`
    exports.toJson = (rows) => JSON.stringify(rows);
  `,
  'src/export/xml.js': file`
    exports.toXml = (rows) => '<rows>' + rows.map((row) => '<row>' + row + '</row>').join('') + '</rows>';
  `,
  'README.md': file`
    # Export

    Writes rows as CSV or JSON.
  `,
};

const noteFiles = {
  'notes/2024-budget.md': file`
    # Budget 2024

    - rent 1200
    - paper 80
  `,
  'notes/2025-budget.md': file`
    # Budget 2025

    - rent 1260
    - paper 75
    - coffee 140
  `,
  'notes/ideas.md': file`
    # Ideas

    - a shelf for the hall
  `,
  'archive/2023-budget.md': file`
    # Budget 2023

    - rent 1150
  `,
};

const importFiles = {
  'src/format-date.js': file`
    exports.formatDate = (date) => date.toISOString().slice(0, 10);
  `,
  'src/invoice.js': file`
    const { formatDate } = require('./format-date');

    exports.invoiceTitle = (number, date) => 'Invoice ' + number + ' of ' + formatDate(date);
  `,
  'src/reports/monthly.js': file`
    const { formatDate } = require('../format-date');

    exports.monthlyTitle = (date) => 'Month ' + formatDate(date).slice(0, 7);
  `,
  'src/util/sum.js': file`
    exports.sum = (values) => values.reduce((total, value) => total + value, 0);
  `,
  'index.js': file`
    const { invoiceTitle } = require('./src/invoice');
    const { monthlyTitle } = require('./src/reports/monthly');
    const { sum } = require('./src/util/sum');

    const day = new Date(Date.UTC(2025, 2, 9));
    console.log(invoiceTitle(12, day) + '; ' + monthlyTitle(day) + '; ' + sum([1, 2]));
  `,
};

const moved = { 'src/format-date.js': null, 'src/util/format-date.js': importFiles['src/format-date.js'] };

export const deleteAndMove: readonly Job[] = [
  {
    name: 'unused-format',
    kind: 'delete-and-move',
    files: exportFiles,
    task: 'One of the files in src/export is not used by the code any more. Delete it.',
    check(folder) {
      folder.changedOnly('src/export/xml.js');
      assert.ok(!folder.has('src/export/xml.js'));
    },
    right: [{ files: { 'src/export/xml.js': null }, answer: 'Deleted src/export/xml.js.' }],
    wrong: [
      { files: { 'src/export/json.js': null }, answer: 'Deleted src/export/json.js.' },
      { files: { 'src/export/xml.js': '' }, answer: 'src/export/xml.js has been deleted.' },
      {
        files: { 'src/export/xml.js': null, 'src/export/csv.js': null },
        answer: 'Deleted the unused files.',
      },
    ],
  },
  {
    name: 'archive-note',
    kind: 'delete-and-move',
    files: noteFiles,
    task: '把 notes/2024-budget.md 移动到 archive 文件夹,文件名不变。',
    check(folder) {
      folder.changedOnly('notes/2024-budget.md', 'archive/2024-budget.md');
      assert.ok(!folder.has('notes/2024-budget.md'));
      assert.deepEqual(folder.lines('archive/2024-budget.md'), [
        '# Budget 2024',
        '- rent 1200',
        '- paper 80',
      ]);
    },
    right: [
      {
        files: {
          'notes/2024-budget.md': null,
          'archive/2024-budget.md': noteFiles['notes/2024-budget.md'],
        },
        answer: '已移动。',
      },
    ],
    wrong: [
      { files: { 'archive/2024-budget.md': noteFiles['notes/2024-budget.md'] }, answer: '已移动。' },
      { files: { 'notes/2024-budget.md': null, 'archive/2024-budget.md': '' }, answer: '已移动。' },
      {
        files: { 'notes/2024-budget.md': null, 'archive/budget.md': noteFiles['notes/2024-budget.md'] },
        answer: '已移动。',
      },
    ],
  },
  {
    name: 'move-module',
    kind: 'delete-and-move',
    files: importFiles,
    task: 'Move src/format-date.js into the folder src/util and correct the imports, so that `node index.js` still works.',
    commands: ['node index.js'],
    check(folder) {
      const files = [
        'src/format-date.js',
        'src/util/format-date.js',
        'src/invoice.js',
        'src/reports/monthly.js',
      ];
      folder.changedOnly(...files);
      assert.ok(!folder.has('src/format-date.js'));
      assert.equal(folder.value('require("./src/util/format-date").formatDate(new Date(0))'), '1970-01-01');
      assert.equal(folder.node('require("./index.js")'), 'Invoice 12 of 2025-03-09; Month 2025-03; 3');
      for (const name of ['src/invoice.js', 'src/reports/monthly.js'])
        assert.match(folder.text(name), /util\/format-date/);
    },
    right: [
      {
        files: {
          ...moved,
          ...edited(importFiles, 'src/invoice.js', ['./format-date', './util/format-date']),
          ...edited(importFiles, 'src/reports/monthly.js', ['../format-date', '../util/format-date.js']),
        },
        answer: 'Moved.',
      },
    ],
    wrong: [
      { files: moved, answer: 'Moved src/format-date.js to src/util.' },
      {
        files: {
          ...moved,
          ...edited(importFiles, 'src/invoice.js', ['./format-date', './util/format-date']),
        },
        answer: 'Moved and corrected the imports.',
      },
      {
        files: {
          ...edited(importFiles, 'src/invoice.js', ['./format-date', './util/format-date']),
          ...edited(importFiles, 'src/reports/monthly.js', ['../format-date', '../util/format-date.js']),
        },
        answer: 'Moved.',
      },
    ],
  },
];
