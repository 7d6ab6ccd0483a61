import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readFailures } from '../../../../src/models/demo/test-output';

/** The output of these programs. */
const rows: readonly (readonly [string, string, object])[] = [
  [
    'node --test as TAP',
    `TAP version 13
# Subtest: greets by name
not ok 1 - greets by name
  ---
  duration_ms: 3.2
  location: '/w/test/greet.test.js:5:1'
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly equal:
    + actual - expected

    + 'Hallo, Ada!'
    - 'Hello, Ada!'
  expected: 'Hello, Ada!'
  actual: 'Hallo, Ada!'
  stack: |-
    TestContext.<anonymous> (/w/test/greet.test.js:6:10)
    Test.run (node:internal/test_runner/test:796:25)
  ...`,
    {
      title: 'greets by name',
      place: '/w/test/greet.test.js:6',
      values: { expected: 'Hello, Ada!', actual: 'Hallo, Ada!' },
    },
  ],
  [
    'node --test in words',
    `✖ failing tests:

test at test/title.test.mjs:5:1
✖ makes a title (8.9ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
  + actual - expected

  + 'Titel: A'
  - 'Title: A'
      at TestContext.<anonymous> (file:///w/test/title.test.mjs:6:10)
    actual: 'Titel: A',
    expected: 'Title: A',`,
    {
      title: 'makes a title',
      place: '///w/test/title.test.mjs:6',
      values: { expected: 'Title: A', actual: 'Titel: A' },
    },
  ],
  [
    'mocha',
    `  1 failing

  1) sum
       adds:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

-1 !== 5

      + expected - actual

      --1
      +5

      at Context.<anonymous> (test/sum.js:5:12)`,
    { title: 'sum', place: 'test/sum.js:5', values: { expected: '5', actual: '-1' } },
  ],
  [
    'jest',
    `  ● adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 5
    Received: -1

      at Object.<anonymous> (sum.test.js:4:21)`,
    { title: 'adds', place: 'sum.test.js:4', values: { expected: '5', actual: '-1' } },
  ],
  [
    'cargo test',
    `---- tests::adds stdout ----
thread 'tests::adds' panicked at src/lib.rs:14:9:
assertion \`left == right\` failed
  left: 6
 right: 5`,
    { title: 'tests::adds', place: 'src/lib.rs:14', values: { expected: '5', actual: '6' } },
  ],
  [
    'unittest',
    `FAIL: test_a (tu.T.test_a)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/w/tu.py", line 4, in test_a
    self.assertEqual(1-3, 4)
AssertionError: -2 != 4`,
    { title: 'test_a (tu.T.test_a)', place: '/w/tu.py:4', values: { expected: '4', actual: '-2' } },
  ],
  [
    'a compiler of Go',
    `# example.com/calc [example.com/calc.test]
./calc.go:5:9: undefined: sum
FAIL\texample.com/calc [build failed]`,
    { title: '', place: './calc.go:5', missing: { name: 'sum' } },
  ],
  [
    'a compiler of Rust',
    `error[E0425]: cannot find function \`ad\` in this scope
  --> src/lib.rs:3:5
   |
3  |     ad(1)
   |     ^^ help: a function with a similar name exists: \`add\``,
    { title: '', place: 'src/lib.rs:3', missing: { name: 'ad', meant: 'add' } },
  ],
];

describe('output of test runs', () => {
  for (const [program, output, expected] of rows) {
    it(`is read from ${program}`, () => {
      const [failure] = readFailures(output);
      assert.ok(failure);
      const { title, places, values, missing } = failure;
      const [spot] = places;
      assert.deepEqual(
        {
          title,
          place: spot && `${spot.path}:${spot.line}`,
          ...(values && { values }),
          ...(missing && { missing }),
        },
        expected,
      );
    });
  }

  it('finds no failure if there is none', () => {
    assert.deepEqual(readFailures('2 passed in 0.01s'), []);
  });

  it('never throws, whatever is printed', () => {
    const words = fc.constantFrom(
      'not ok 1 - ',
      '✖ ',
      'a.js:1',
      'expected: ',
      'actual: ',
      '\n',
      ' != ',
      'assert ',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(words, fc.string()), { maxLength: 60 }), (parts) => {
        assert.ok(Array.isArray(readFailures(parts.join(''))));
      }),
    );
  });
});
