import assert from 'node:assert/strict';
import { edited, file, type Job } from '../job';

const statsFiles = {
  'src/stats.js': file`
    function mean(values) {
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    }

    function spread(values) {
      return Math.max(...values) - Math.min(...values);
    }

    module.exports = { mean, spread };
  `,
  'src/summary.js': file`
    const { mean, spread } = require('./stats');

    exports.summary = (values) => 'mean ' + mean(values) + ', spread ' + spread(values);
  `,
  'test/stats.test.js': file`
    const assert = require('node:assert');
    const { mean, spread } = require('../src/stats');

    assert.strictEqual(mean([1, 2, 6]), 3);
    assert.strictEqual(spread([4, 1, 9]), 8);
  `,
};

const convertFiles = {
  'convert.py': file`
    def celsius_to_fahrenheit(value):
        return value * 9 / 5 + 32


    def fahrenheit_to_celsius(value):
        return (value - 32) * 5 / 9


    UNITS = {"F": celsius_to_fahrenheit}


    def show(celsius, unit="C"):
        value = UNITS[unit](celsius) if unit in UNITS else celsius
        return f"{value:.1f} {unit}"
  `,
  'sensor.py': file`
    from convert import show


    def report(readings, unit="C"):
        return [show(value, unit) for value in readings]
  `,
  'README.md': file`
    # Greenhouse

    \`report\` shows readings in degrees Celsius, or in another unit.
  `,
};

const textFiles = {
  'package.json': file`
    {
      "name": "labels",
      "version": "1.1.0"
    }
  `,
  'src/text.ts': file`
    export function squeeze(text: string): string {
      return text.replace(/\s+/g, ' ').trim();
    }

    export function initials(name: string): string {
      return name
        .split(' ')
        .map((word) => word.charAt(0))
        .join('');
    }
  `,
  'src/card.ts': file`
    import { initials, squeeze } from './text';

    export function card(name: string): string {
      const full = squeeze(name);
      return full + ' (' + initials(full) + ')';
    }
  `,
};

const median = `function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
`;

export const addFunction: readonly Job[] = [
  {
    name: 'median',
    kind: 'add-function',
    files: statsFiles,
    task: 'Add a function median to src/stats.js and export it next to the others. For an even number of values it is the mean of the two in the middle.',
    check(folder) {
      folder.changedOnly('src/stats.js', 'test/stats.test.js');
      folder.node('require("./test/stats.test.js")');
      assert.deepEqual(
        folder.value('[[9, 1, 10], [40, 8, 100, 12], [7]].map(require("./src/stats").median)'),
        [9, 26, 7],
      );
      assert.equal(folder.value('require("./src/summary").summary([1, 2, 6])'), 'mean 3, spread 5');
    },
    right: [
      {
        files: edited(statsFiles, 'src/stats.js', [
          'module.exports = { mean, spread }',
          `${median}\nmodule.exports = { mean, median, spread }`,
        ]),
        answer: 'Added median.',
      },
      {
        files: edited(statsFiles, 'src/stats.js', [
          'spread };\n',
          `spread };\n\n${median}module.exports.median = median;\n`,
        ]),
        answer: '',
      },
    ],
    wrong: [
      {
        files: edited(statsFiles, 'src/stats.js', [
          'module.exports = { mean, spread }',
          `${median.replace('.sort((a, b) => a - b)', '.sort()')}\nmodule.exports = { mean, median, spread }`,
        ]),
        answer: 'Added median.',
      },
      { files: edited(statsFiles, 'src/stats.js', ['mean', 'median']), answer: 'Added median.' },
      { files: edited(statsFiles, 'src/stats.js', ['module', `${median}\nmodule`]), answer: 'Added median.' },
    ],
  },
  {
    name: 'kelvin',
    kind: 'add-function',
    files: convertFiles,
    task: 'Add a function celsius_to_kelvin to convert.py, and let show know it as the unit K.',
    check(folder) {
      folder.changedOnly('convert.py');
      const script =
        'import convert, sensor; print(round(convert.celsius_to_kelvin(20), 2), convert.show(20.25, "K"), sensor.report([-40.05, 0.35], "K"), convert.show(100, "F"), convert.show(5), convert.fahrenheit_to_celsius(32))';
      assert.equal(folder.python(script), "293.15 293.4 K ['233.1 K', '273.5 K'] 212.0 F 5.0 C 0.0");
    },
    right: [
      {
        files: edited(
          convertFiles,
          'convert.py',
          ['UNITS = {', 'def celsius_to_kelvin(value):\n    return value + 273.15\n\n\nUNITS = {'],
          ['{"F": celsius_to_fahrenheit}', '{"F": celsius_to_fahrenheit, "K": celsius_to_kelvin}'],
        ),
        answer: 'Done.',
      },
    ],
    wrong: [
      {
        files: edited(convertFiles, 'convert.py', [
          'UNITS = {',
          'def celsius_to_kelvin(value):\n    return value + 273.15\n\n\nUNITS = {',
        ]),
        answer: 'Added celsius_to_kelvin.',
      },
      {
        files: edited(
          convertFiles,
          'convert.py',
          [
            'def celsius_to_fahrenheit(value):\n    return value * 9 / 5 + 32',
            'def celsius_to_kelvin(value):\n    return value + 273.15',
          ],
          ['{"F": celsius_to_fahrenheit}', '{"K": celsius_to_kelvin}'],
        ),
        answer: 'Done.',
      },
    ],
  },
  {
    name: 'capitalize',
    kind: 'add-function',
    files: textFiles,
    task: 'src/text.ts needs one more exported function, capitalize: the first letter of a text in upper case, the rest as it was.',
    check(folder) {
      folder.changedOnly('src/text.ts');
      assert.deepEqual(
        folder.value(
          '["oslo", "new York", "ÉCOLE", ""].map((text) => require("./src/text").capitalize(text))',
        ),
        ['Oslo', 'New York', 'ÉCOLE', ''],
      );
      assert.equal(folder.value('require("./src/card").card(" Ada  Byron ")'), 'Ada Byron (AB)');
    },
    right: [
      {
        files: {
          'src/text.ts': `${textFiles['src/text.ts']}
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
`,
        },
        answer: 'Added.',
      },
      {
        files: {
          'src/text.ts': `export const capitalize = (s: string) => (s ? s[0]!.toUpperCase() + s.slice(1) : '');\n${textFiles['src/text.ts']}`,
        },
        answer: 'Added.',
      },
    ],
    wrong: [
      {
        files: {
          'src/text.ts': `${textFiles['src/text.ts']}
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}
`,
        },
        answer: 'Added capitalize.',
      },
      {
        files: {
          'src/text.ts':
            'export function capitalize(text: string): string {\n  return text.charAt(0).toUpperCase() + text.slice(1);\n}\n',
        },
        answer: 'Added capitalize.',
      },
    ],
  },
];
