import assert from 'node:assert/strict';
import { edited, file, type Files, type Job } from '../job';
import type { JobFolder } from '../job-folder';

const userFiles = {
  'src/users.js': file`
    const users = [
      { id: 4, name: 'Mara', team: 'north' },
      { id: 9, name: 'Juri', team: 'south' },
    ];

    function getUsr(id) {
      return users.find((user) => user.id === id);
    }

    module.exports = { getUsr };
  `,
  'src/greeting.js': file`
    const { getUsr } = require('./users');

    exports.greeting = (id) => {
      const user = getUsr(id);
      return user ? 'Hello ' + user.name : 'Hello stranger';
    };
  `,
  'src/team.js': file`
    const users = require('./users');

    exports.isTeammate = (one, other) => users.getUsr(one).team === users.getUsr(other).team;
  `,
  'index.js': file`
    const { greeting } = require('./src/greeting');
    const { isTeammate } = require('./src/team');

    console.log(greeting(4), isTeammate(4, 9));
  `,
};

const receiptFiles = {
  'shop/__init__.py': '',
  'shop/models.py': file`
    class Rec:
        def __init__(self, number, amount):
            self.number = number
            self.amount = amount


    class Record:
        """A line of the log."""

        def __init__(self, text):
            self.text = text
  `,
  'shop/printer.py': file`
    from shop.models import Rec, Record


    def print_receipt(receipt):
        if not isinstance(receipt, Rec):
            raise TypeError("not a receipt")
        return f"#{receipt.number}: {receipt.amount:.2f}"


    def log_line(text):
        return Record(text).text
  `,
  'shop/sell.py': file`
    from shop import models
    from shop.printer import print_receipt


    def sell(number, amount):
        return print_receipt(models.Rec(number, amount))
  `,
};

const pollFiles = {
  'config.json': file`
    {
      "url": "http://127.0.0.1:9000/state",
      "pollMs": 2500,
      "logMs": 60000
    }
  `,
  'src/poller.js': file`
    const config = require('../config.json');

    exports.plan = (now) => ({ next: now + config.pollMs, url: config.url });
  `,
  'src/check-config.js': file`
    exports.checkConfig = ({ pollMs, logMs }) => {
      if (!(pollMs > 0)) throw new Error('pollMs must be a positive number');
      return logMs >= pollMs;
    };
  `,
  'README.md': file`
    # Poller

    | key | meaning |
    | --- | --- |
    | \`url\` | address of the state |
    | \`pollMs\` | milliseconds between two requests |
    | \`logMs\` | milliseconds between two lines of the log |
  `,
};

/** The ending in which one word was replaced in these files. */
function renamed(files: Files, names: readonly string[], pair: readonly [string, string]): Files {
  return Object.assign({}, ...names.map((name) => edited(files, name, pair))) as Files;
}

/** The word is in none of the files. */
function isGone(folder: JobFolder, word: RegExp, names: readonly string[]): void {
  for (const name of names) assert.doesNotMatch(folder.text(name), word);
}

export const rename: readonly Job[] = [
  {
    name: 'get-user',
    kind: 'rename',
    files: userFiles,
    task: 'Rename the function getUsr to findUser, everywhere it is used.',
    check(folder) {
      const names = ['src/users.js', 'src/greeting.js', 'src/team.js'];
      folder.changedOnly(...names);
      isGone(folder, /getUsr/, names);
      assert.equal(folder.node('require("./index.js")'), 'Hello Mara false');
      assert.equal(folder.value('require("./src/users").findUser(9).name'), 'Juri');
      assert.equal(folder.value('require("./src/greeting").greeting(5)'), 'Hello stranger');
    },
    right: [
      {
        files: renamed(userFiles, ['src/users.js', 'src/greeting.js', 'src/team.js'], ['getUsr', 'findUser']),
        answer: 'Renamed in three files.',
      },
    ],
    wrong: [
      {
        files: renamed(userFiles, ['src/users.js', 'src/greeting.js'], ['getUsr', 'findUser']),
        answer: 'Renamed everywhere.',
      },
      {
        files: renamed(userFiles, ['src/greeting.js', 'src/team.js'], ['getUsr', 'findUser']),
        answer: 'Renamed everywhere.',
      },
      {
        files: renamed(userFiles, ['src/users.js', 'src/greeting.js', 'src/team.js'], ['getUsr', 'getUser']),
        answer: 'Renamed everywhere.',
      },
    ],
  },
  {
    name: 'receipt-class',
    kind: 'rename',
    files: receiptFiles,
    task: 'Rename the class Rec in the package shop to Receipt, in all files.',
    check(folder) {
      const names = ['shop/models.py', 'shop/printer.py', 'shop/sell.py'];
      folder.changedOnly(...names);
      isGone(folder, /\bRec\b/, names);
      const script =
        'from shop import models, printer, sell; print(sell.sell(7, 3.5), models.Receipt(1, 2).amount, printer.log_line("x"), models.Record("y").text)';
      assert.equal(folder.python(script), '#7: 3.50 2 x y');
    },
    right: [
      {
        files: {
          ...edited(receiptFiles, 'shop/models.py', ['Rec:', 'Receipt:']),
          ...edited(receiptFiles, 'shop/printer.py', ['Rec,', 'Receipt,'], ['Rec)', 'Receipt)']),
          ...edited(receiptFiles, 'shop/sell.py', ['Rec(', 'Receipt(']),
        },
        answer: 'Renamed.',
      },
    ],
    wrong: [
      {
        files: renamed(
          receiptFiles,
          ['shop/models.py', 'shop/printer.py', 'shop/sell.py'],
          ['Rec', 'Receipt'],
        ),
        answer: 'Renamed.',
      },
      {
        files: edited(receiptFiles, 'shop/models.py', ['Rec:', 'Receipt:']),
        answer: 'Renamed in all files.',
      },
    ],
  },
  {
    name: 'config-key',
    kind: 'rename',
    files: pollFiles,
    task: '把配置项 pollMs 改名为 pollIntervalMs,代码和 README 里用到的地方都要改。',
    check(folder) {
      const names = Object.keys(pollFiles);
      folder.changedOnly(...names);
      isGone(folder, /pollMs/, names);
      assert.deepEqual(folder.json('config.json'), {
        ...{ url: 'http://127.0.0.1:9000/state', pollIntervalMs: 2500, logMs: 60000 },
      });
      assert.equal(folder.value('require("./src/poller").plan(100).next'), 2600);
      assert.equal(folder.value('require("./src/check-config").checkConfig(require("./config.json"))'), true);
      assert.ok(
        folder.text('README.md').includes('| `pollIntervalMs` | milliseconds between two requests |'),
      );
      assert.ok(folder.text('README.md').includes('`logMs`'));
    },
    right: [
      {
        files: renamed(pollFiles, Object.keys(pollFiles), ['pollMs', 'pollIntervalMs']),
        answer: '已全部改名。',
      },
    ],
    wrong: [
      {
        files: renamed(
          pollFiles,
          ['config.json', 'src/poller.js', 'README.md'],
          ['pollMs', 'pollIntervalMs'],
        ),
        answer: '已全部改名。',
      },
      {
        files: renamed(
          pollFiles,
          ['config.json', 'src/poller.js', 'src/check-config.js'],
          ['pollMs', 'pollIntervalMs'],
        ),
        answer: '已全部改名。',
      },
    ],
  },
];
