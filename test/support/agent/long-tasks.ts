import type { JsonObject } from '../../../src/base/json';
import type { RenderedPart } from '../../../src/core/words/protocol';

/** A task on a small project, with scripted replies of a model that does it. */
export interface LongTask {
  readonly name: string;
  /** Relative path → text. Its tests run by `node --test`. */
  readonly files: Readonly<Record<string, string>>;
  /** Whether the tests pass before the task. */
  readonly isGreen: boolean;
  readonly ask: string;
  /** The replies except the last, for the folder of the project; the results of the calls follow each reply. */
  readonly replies: (folder: string) => readonly (readonly RenderedPart[])[];
  /** Relative path → the expected contents at the end. */
  readonly expect: Readonly<Record<string, RegExp>>;
}

const users = Array.from({ length: 10 }, (_, index) => `page${index}`);

export const longTasks: readonly LongTask[] = [
  {
    name: 'a failing test is fixed',
    files: {
      'src/price.js': `/** The price with tax, in cents. */
exports.withTax = (cents, percent) => Math.floor(cents + (cents * percent) / 100);

exports.total = (prices) => prices.reduce((sum, each) => sum + each);
`,
      'test/price.test.js': `const assert = require('node:assert/strict');
const { test } = require('node:test');
const { total, withTax } = require('../src/price.js');

test('rounds to the nearest cent', () => assert.equal(withTax(199, 19), 237));
test('adds up', () => assert.equal(total([1, 2, 3]), 6));
test('of nothing is nothing', () => assert.equal(total([]), 0));
`,
    },
    isGreen: false,
    ask: 'The tests fail. Find out why and fix the code, not the tests.',
    replies: (folder) => [
      [say('I run the tests first.'), run(folder)],
      [
        call('read_file', { path: `${folder}/test/price.test.js` }),
        call('read_file', { path: `${folder}/src/price.js` }),
      ],
      [
        say('An empty list has no first element to begin with, and floor loses half cents.'),
        call('edit_file', {
          path: `${folder}/src/price.js`,
          edits: [
            { old: 'Math.floor(', new: 'Math.round(' },
            { old: 'sum + each)', new: 'sum + each, 0)' },
          ],
        }),
      ],
      [run(folder)],
    ],
    expect: { 'src/price.js': /Math\.round\(cents[^]*sum \+ each, 0\)/ },
  },
  {
    name: 'a name is changed in ten files',
    files: {
      'src/user.js': "exports.getUser = (id) => ({ id, name: 'User ' + id });\n",
      ...Object.fromEntries(
        users.map((name, index) => [
          `src/${name}.js`,
          `const { getUser } = require('./user.js');\n\nexports.${name} = () => getUser(${index}).name;\n`,
        ]),
      ),
      'test/pages.test.js': `const assert = require('node:assert/strict');
const { test } = require('node:test');
const user = require('../src/user.js');

for (let page = 0; page < 10; page++) {
  test('page ' + page, () => {
    const show = require('../src/page' + page + '.js')['page' + page];
    assert.equal(show(), 'User ' + page);
    assert.equal(user.getUser, undefined);
    assert.equal(user.findUser(page).id, page);
  });
}
`,
    },
    isGreen: false,
    ask: 'Rename getUser to findUser everywhere in src.',
    replies: (folder) => [
      [call('search_text', { query: 'getUser', path: `${folder}/src` })],
      [
        say('It is in eleven files.'),
        call('edit_file', { path: `${folder}/src/user.js`, old: 'getUser', new: 'findUser' }),
      ],
      users.map((name) =>
        call('edit_file', {
          path: `${folder}/src/${name}.js`,
          edits: [{ old: 'getUser', new: 'findUser', expect: 2 }],
        }),
      ),
      [call('search_text', { query: 'getUser', path: `${folder}/src` }), run(folder)],
    ],
    expect: Object.fromEntries(
      ['user', ...users].map((name) => [
        `src/${name}.js`,
        /^(?:(?!getUser)[^])*findUser(?:(?!getUser)[^])*$/,
      ]),
    ),
  },
  {
    name: 'a small feature is added, with its test',
    files: {
      'src/index.js': 'exports.greet = (name) => `Hello, ${name}!`;\n',
      'test/greet.test.js': `const assert = require('node:assert/strict');
const { test } = require('node:test');
const { greet } = require('../src/index.js');

test('greets', () => assert.equal(greet('Ada'), 'Hello, Ada!'));
`,
    },
    isGreen: true,
    ask: 'Add a function that says goodbye, in a file of its own, and a test for it.',
    replies: (folder) => [
      [
        call('update_todos', {
          items: [
            { text: 'Look around', status: 'in_progress' },
            { text: 'Write goodbye', status: 'pending' },
            { text: 'Test it', status: 'pending' },
          ],
        }),
        call('read_folder', { path: folder, depth: 2 }),
      ],
      [call('read_file', { path: `${folder}/src/index.js` })],
      [
        say('A file for the function, and one for its test.'),
        call('write_file', {
          path: `${folder}/src/goodbye.js`,
          content: '/** For "the end" & <after>. */\nexports.goodbye = (name) => `Goodbye, ${name}!\\n`;\n',
        }),
        call('write_file', {
          path: `${folder}/test/goodbye.test.js`,
          content: `const assert = require('node:assert/strict');
const { test } = require('node:test');
const { goodbye } = require('../src/index.js');

test('says goodbye', () => assert.equal(goodbye('Ada'), 'Goodbye, Ada!\\n'));
`,
        }),
        call('edit_file', {
          path: `${folder}/src/index.js`,
          edits: [
            {
              old: 'exports.greet',
              new: "exports.goodbye = require('./goodbye.js').goodbye;\nexports.greet",
            },
          ],
        }),
      ],
      [run(folder)],
    ],
    expect: {
      'src/goodbye.js': /^\/\*\* For "the end" & <after>\. \*\/\nexports\.goodbye[^]*!\\n`;\n$/,
      'src/index.js': /require\('\.\/goodbye\.js'\)/,
      'test/goodbye.test.js': /Goodbye, Ada!\\n/,
    },
  },
];

let calls = 0;

function call(name: string, args: JsonObject): RenderedPart {
  return { type: 'call', call: { id: `scripted${++calls}`, name, arguments: args } };
}

function run(folder: string): RenderedPart {
  return call('run_shell_command', { command: 'node --test', cwd: folder });
}

function say(text: string): RenderedPart {
  return { type: 'text', text };
}
