import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const cartFiles = {
  'package.json': file`
    {
      "name": "cart",
      "version": "1.0.0",
      "scripts": { "test": "node test/cart.test.js" }
    }
  `,
  'src/cart.js': file`
    const { round } = require('./round');

    function subtotal(items) {
      return round(items.reduce((sum, item) => sum + item.price, 0));
    }

    function withDiscount(items, percent) {
      return round(subtotal(items) * (1 - percent / 100));
    }

    module.exports = { subtotal, withDiscount };
  `,
  'src/round.js': file`
    /** To two digits. */
    exports.round = (value) => Math.round(value * 100) / 100;
  `,
  'test/cart.test.js': file`
    const assert = require('node:assert');
    const { subtotal, withDiscount } = require('../src/cart');

    const items = [
      { name: 'pen', price: 1.2, amount: 5 },
      { name: 'pad', price: 3.5, amount: 2 },
    ];

    assert.strictEqual(subtotal([]), 0);
    assert.strictEqual(subtotal(items), 13);
    assert.strictEqual(withDiscount(items, 10), 11.7);
    console.log('all tests passed');
  `,
};

const calendarFiles = {
  'README.md': file`
    # Calendar tools

    Run the tests with \`python3 -m unittest\`.
  `,
  'calendar_tools.py': file`
    DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


    def is_leap(year):
        return year % 4 == 0


    def days_in(month, year):
        if month == 2 and is_leap(year):
            return 29
        return DAYS[month - 1]
  `,
  'test_calendar_tools.py': file`
    import unittest

    from calendar_tools import days_in, is_leap


    class CalendarToolsTest(unittest.TestCase):
        def test_leap_years(self):
            self.assertTrue(is_leap(2024))
            self.assertFalse(is_leap(2023))

        def test_centuries(self):
            self.assertFalse(is_leap(1900))
            self.assertTrue(is_leap(2000))

        def test_february(self):
            self.assertEqual(days_in(2, 2100), 28)
            self.assertEqual(days_in(2, 2400), 29)
  `,
};

const pageFiles = {
  'src/pages.js': file`
    const SIZE = 4;

    /** Pages are counted from 1. */
    function page(list, number) {
      const start = number * SIZE;
      return list.slice(start, start + SIZE);
    }

    function pageCount(list) {
      return Math.ceil(list.length / SIZE);
    }

    module.exports = { page, pageCount };
  `,
  'src/index.js': file`
    const { page, pageCount } = require('./pages');

    exports.view = (list, number) => 'Page ' + number + ' of ' + pageCount(list) + ': ' + page(list, number).join(' ');
  `,
  'test/run.js': file`
    const assert = require('node:assert');
    const { view } = require('../src/index');

    const letters = [...'abcdefghij'];

    assert.strictEqual(view(letters, 1), 'Page 1 of 3: a b c d');
    assert.strictEqual(view(letters, 3), 'Page 3 of 3: i j');
    console.log('ok');
  `,
};

export const fixTest: readonly Job[] = [
  {
    name: 'cart-total',
    kind: 'fix-test',
    files: cartFiles,
    task: 'The test `node test/cart.test.js` fails. Find the mistake in src and correct it; leave the test as it is.',
    commands: ['node test/cart.test.js', 'npm test'],
    check(folder) {
      folder.changedOnly('src/cart.js', 'src/round.js');
      assert.equal(folder.node('require("./test/cart.test.js")'), 'all tests passed');
      const items = '[{ price: 2.25, amount: 3 }, { price: 10, amount: 1 }]';
      assert.deepEqual(
        folder.value(
          `[require("./src/cart").subtotal(${items}), require("./src/cart").withDiscount(${items}, 50)]`,
        ),
        [16.75, 8.38],
      );
    },
    right: [
      {
        files: edited(cartFiles, 'src/cart.js', ['sum + item.price', 'sum + item.price * item.amount']),
        answer: 'The test passes now.',
      },
    ],
    wrong: [
      {
        files: edited(cartFiles, 'test/cart.test.js', ['13)', '4.7)'], ['11.7', '4.23']),
        answer: 'The test passes now.',
      },
      {
        files: edited(cartFiles, 'src/cart.js', ['sum + item.price, 0', 'sum + item.amount, 6']),
        answer: 'The bug has been fixed.',
      },
    ],
  },
  {
    name: 'leap-centuries',
    kind: 'fix-test',
    files: calendarFiles,
    task: 'Two tests of test_calendar_tools.py fail. Correct calendar_tools.py so that `python3 -m unittest` passes.',
    commands: ['python3 -m unittest', 'python3 -m unittest test_calendar_tools'],
    check(folder) {
      folder.changedOnly('calendar_tools.py');
      const years = '[1600, 1700, 1900, 1996, 2000, 2001, 2100, 2400]';
      const script = `from calendar_tools import *; print([int(bool(is_leap(y))) for y in ${years}], days_in(2, 1900), days_in(2, 2000), days_in(4, 2000))`;
      assert.equal(folder.python(script), '[1, 0, 0, 1, 1, 0, 0, 1] 28 29 30');
    },
    right: [
      {
        files: edited(calendarFiles, 'calendar_tools.py', [
          'return year % 4 == 0',
          'return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)',
        ]),
        answer: 'All tests pass.',
      },
    ],
    wrong: [
      {
        files: edited(calendarFiles, 'calendar_tools.py', [
          'return year % 4 == 0',
          'return year % 4 == 0 and year % 100 != 0',
        ]),
        answer: 'All tests pass.',
      },
      {
        files: edited(calendarFiles, 'test_calendar_tools.py', [
          'assertFalse(is_leap(1900))',
          'assertTrue(is_leap(1900))',
        ]),
        answer: 'The tests pass now.',
      },
    ],
  },
  {
    name: 'page-numbers',
    kind: 'fix-test',
    files: pageFiles,
    task: '运行 `node test/run.js` 会失败。请修改 src 里的代码,让测试通过,不要改测试。',
    commands: ['node test/run.js'],
    check(folder) {
      folder.changedOnly('src/pages.js', 'src/index.js');
      assert.equal(folder.node('require("./test/run.js")'), 'ok');
      assert.deepEqual(
        folder.value('[1, 2].map((number) => require("./src/index").view([..."vwxyz"], number))'),
        ['Page 1 of 2: v w x y', 'Page 2 of 2: z'],
      );
    },
    right: [
      {
        files: edited(pageFiles, 'src/pages.js', ['number * SIZE', '(number - 1) * SIZE']),
        answer: '已修复。',
      },
      {
        files: edited(pageFiles, 'src/index.js', ['page(list, number)', 'page(list, number - 1)']),
        answer: '测试通过了。',
      },
    ],
    wrong: [
      { files: edited(pageFiles, 'src/pages.js', ['SIZE = 4', 'SIZE = 3']), answer: '已修复。' },
      { files: edited(pageFiles, 'test/run.js', ['assert.strictEqual', 'void ']), answer: '测试通过了。' },
    ],
  },
];
