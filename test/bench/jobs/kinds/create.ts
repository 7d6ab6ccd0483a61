import assert from 'node:assert/strict';
import { emptyCart } from '../../../../src/doctor/jobs';
import { file, fromDoctor, type Job } from '../job';

export const create: readonly Job[] = [
  {
    name: 'new-validator',
    kind: 'create',
    files: {
      'package.json': file`
        {
          "name": "form-checks",
          "version": "2.0.1",
          "main": "src/check.js"
        }
      `,
      'src/check.js': file`
        exports.check = (value, validators) => validators.every((isValid) => isValid(value));
      `,
      'src/validators/port.js': file`
        function isPort(text) {
          const port = Number(text);
          return Number.isInteger(port) && port > 0 && port < 65536;
        }

        module.exports = { isPort };
      `,
      'src/validators/year.js': file`
        function isYear(text) {
          return /^\d{4}$/.test(text);
        }

        module.exports = { isYear };
      `,
    },
    task: 'Create src/validators/color.js with a function isColor, exported in the same way as the other validators. It takes a text and is true only for a # followed by exactly six hexadecimal digits in lower or upper case.',
    check(folder) {
      folder.changedOnly('src/validators/color.js');
      const texts = ['#00ff7A', '#ABCDEF', '#00ff7', '#00ff7a0', '00ff7a', '#00ff7g', 'x#00ff7a', ''];
      const expression = `${JSON.stringify(texts)}.map((text) => Boolean(require("./src/validators/color").isColor(text)))`;
      assert.deepEqual(folder.value(expression), [true, true, ...texts.slice(2).map(() => false)]);
    },
    right: [
      {
        files: {
          'src/validators/color.js': file`
            function isColor(text) {
              return /^#[0-9a-fA-F]{6}$/.test(text);
            }

            module.exports = { isColor };
          `,
        },
        answer: 'Created.',
      },
      {
        files: { 'src/validators/color.js': 'exports.isColor = (t) => /^#[0-9a-f]{6}$/i.test(t)' },
        answer: '',
      },
    ],
    wrong: [
      {
        files: { 'src/validators/color.js': 'exports.isColor = (text) => /^#[0-9a-f]{6}$/.test(text);\n' },
        answer: 'Created src/validators/color.js.',
      },
      {
        files: { 'src/validators/color.js': 'module.exports = (text) => /^#[0-9a-f]{6}$/i.test(text);\n' },
        answer: 'Created src/validators/color.js.',
      },
    ],
  },
  fromDoctor(emptyCart, {
    kind: 'create',
    right: [
      {
        files: {
          'fixtures/empty-cart.json': file`
            {
              "customer": "c-3310",
              "currency": "CHF",
              "items": [],
              "total": 0.0
            }
          `,
        },
        answer: 'Created.',
      },
      {
        files: { 'fixtures/empty-cart.json': '{"items":[],"total":0,"customer":"c-3310","currency":"CHF"}' },
        answer: '',
      },
    ],
    wrong: [
      {
        files: {
          'fixtures/empty-cart.json': '{ "customer": "c-3310", "currency": "USD", "items": [], "total": 0 }',
        },
        answer: 'Created.',
      },
      { files: { 'fixtures/empty-cart.json': '{ "items": [] }\n' }, answer: 'Created.' },
    ],
  }),
];
