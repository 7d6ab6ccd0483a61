import assert from 'node:assert/strict';
import { judgeCall } from '../../../src/policy/approvals';
import { limits } from '../../../src/base/limits';
import { measureEventLoopDelay } from '../../support/measure/event-loop-delay';
import { ScratchWorkspace } from '../../support/workspace/scratch-workspace';
import { letTimePass } from '../../support/turns';

/** What the result says, exactly. */
const values: readonly { readonly name: string; readonly code: string; readonly result: string }[] = [
  { name: 'the last expression', code: 'const a = 20; a * 2 + 2', result: 'Result: 42' },
  { name: 'text as it is', code: '`one\n"two"`', result: 'Result: one\n"two"' },
  { name: 'an object', code: '({ a: 1, b: [true, null] })', result: 'Result: {"a":1,"b":[true,null]}' },
  { name: 'nothing', code: 'let a = 1', result: 'Result: undefined' },
  {
    name: 'a number JSON lacks',
    code: '[0 / 0, -1 / 0, 1n]',
    result: 'Result: ["[NaN]","[-Infinity]","1n"]',
  },
  {
    name: 'a map in a set',
    code: 'new Set([new Map([[1, 2]])])',
    result: 'Result: {"Set":[{"Map":[[1,2]]}]}',
  },
  { name: 'a function', code: 'function f() {} f', result: 'Result: [function f]' },
  { name: 'a circle', code: 'const a = { b: {} }; a.b.a = a; a', result: 'Result: {"b":{"a":"[circular]"}}' },
  { name: 'the same thing twice', code: 'const a = [1]; [a, a]', result: 'Result: [[1],[1]]' },
  { name: 'a promise', code: 'Promise.resolve(3)', result: 'Result: 3' },
  {
    name: 'await at the top',
    code: 'const a = await Promise.resolve(3);\nreturn a + 1',
    result: 'Result: 4',
  },
  {
    name: 'the last expression after await',
    code: 'const x = await Promise.resolve(3); x + 1',
    result: 'Result: 4',
  },
  { name: 'nothing after await', code: 'const x = await 3', result: 'Result: undefined' },
  { name: 'a promise after await', code: 'await 1; Promise.resolve([2])', result: 'Result: [2]' },
  {
    name: 'an object with a value and done',
    code: 'await 1; ({ value: 1, done: true })',
    result: 'Result: {"value":1,"done":true}',
  },
  {
    name: 'what a loop awaits',
    code: 'let a = 0; for await (const b of [1, 2]) a += b; a',
    result: 'Result: 3',
  },
  { name: 'return at the top', code: 'for (const a of [1, 2]) if (a > 1) return a', result: 'Result: 2' },
  { name: 'characters beyond ASCII', code: '[..."ä🙂"].length + "🙂"', result: 'Result: 2🙂' },
  {
    name: 'what was printed',
    code: 'console.log("a", 1, [2]); console.error(new Map([["b", 3n]])); "c"',
    result: 'Printed:\na 1 [2]\n{"Map":[["b","3n"]]}\nResult: c',
  },
  {
    name: 'a long list over several lines',
    code: '[{ first: "x".repeat(60), second: "y".repeat(60) }]',
    result: `Result: [\n  {\n    "first": "${'x'.repeat(60)}",\n    "second": "${'y'.repeat(60)}"\n  }\n]`,
  },
];

/** What the error says, as far as it matters. */
const failures: readonly { readonly name: string; readonly code: string; readonly error: RegExp }[] = [
  {
    name: 'a throw',
    code: 'console.log("a");\nthrow new TypeError("no")',
    error: /^Printed:\na\nThe code failed\. TypeError: no\n.*code\.js:2/,
  },
  { name: 'a throw of something else', code: 'throw { code: 7 }', error: /^The code failed\. \{"code":7\}$/ },
  { name: 'a syntax error', code: 'const = 1', error: /^The code failed\. SyntaxError: .*\n.*code\.js:1/ },
  {
    name: 'a rejected promise',
    code: 'await Promise.reject(new Error("no"))',
    error: /^The code failed\. Error: no/,
  },
  {
    name: 'a promise that waits',
    code: 'new Promise(() => {})',
    error: /never settles.*Compute it directly\.$/,
  },
  {
    name: 'a promise that waits after await',
    code: 'await 1; new Promise(() => {})',
    error: /never settles/,
  },
  {
    name: 'a rejected promise after await',
    code: 'await 1; Promise.reject(new Error("no"))',
    error: /^The code failed\. Error: no/,
  },
  {
    name: 'a module',
    code: 'require("fs")',
    error: /ReferenceError: .*require.*\nOnly the language itself is available\./s,
  },
  { name: 'a network', code: 'fetch("http://127.0.0.1/")', error: /Only the language itself is available\./ },
  { name: 'recursion without end', code: 'const f = () => f(); f()', error: /stack overflow/ },
  {
    name: 'text nested too deeply',
    code: 'Function("return " + "(".repeat(1e6))()',
    error: /The code (broke the sandbox|failed)/,
  },
  {
    name: 'more memory than there is',
    code: 'new Uint8Array(1e8).length',
    error: /out of memory.*The limit is 64 MiB\. Do less at once\.$/s,
  },
];

describe('eval_js', () => {
  let scratch: ScratchWorkspace;
  before(async () => {
    scratch = await ScratchWorkspace.create({ 'a.txt': 'a\n' });
  });
  after(() => scratch.dispose());

  for (const { name, code, result } of values) {
    it(`shows ${name}`, async () => {
      assert.equal(await scratch.call('eval_js', { code }), result);
    });
  }

  for (const { name, code, error } of failures) {
    it(`explains ${name}`, async () => {
      assert.match(await scratch.failure('eval_js', { code }), error);
    });
  }

  it('says that a value that throws when inspected cannot be shown', async () => {
    const code = '({ get a() { throw 1 } })';
    assert.equal(await scratch.call('eval_js', { code }), 'Result: [a value that cannot be shown]');
  });

  it('cuts what is printed and what is returned, and says so', async () => {
    const code = 'for (let i = 0; i < 1e4; i++) console.log("x".repeat(99)); "y".repeat(1e6)';
    const result = await scratch.call('eval_js', { code });
    assert.match(
      result,
      /\n\[More output was left out\. Print less\.\]\nResult: y+\n\[934,464 characters left out/,
    );
    assert.ok(result.length < 2 * limits.evalOutputCharacters + 500);
  });

  it('ends endless code, returns its output so far, and blocks nothing else', async () => {
    const code = 'console.log("a"); try { for (;;); } finally { for (;;); }';
    const { result: failure, blockedMs } = await measureEventLoopDelay(() =>
      scratch.failure('eval_js', { code }),
    );
    assert.match(failure, /^Printed:\na\nThe code was ended after 5 s\. Do less at once/);
    // Of the five seconds and more that the code runs for.
    assert.ok(blockedMs < 2_000, `the thread was held up for ${blockedMs} ms`);
  });

  it('ends a pattern that backtracks without end', async () => {
    const code = '/(a+)+$/.test("a".repeat(50) + "b")';
    assert.match(await scratch.failure('eval_js', { code }), /^The code was ended after 5 s/);
  });

  it('G13.stop ends with the call', async () => {
    const stop = new AbortController();
    const running = scratch.call('eval_js', { code: 'for (;;);' }, stop.signal);
    void letTimePass(300).then(() => stop.abort());
    await assert.rejects(running, { name: 'AbortError' });
  });

  it('has no globals besides those of the language', async () => {
    const code = 'Object.getOwnPropertyNames(globalThis).filter((name) => !/^[A-Z]/.test(name)).sort()';
    const names = [
      ...['console', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'escape', 'eval'],
      ...['globalThis', 'isFinite', 'isNaN', 'parseFloat', 'parseInt', 'undefined', 'unescape'],
    ];
    const result = await scratch.call('eval_js', { code });
    assert.deepEqual(JSON.parse(result.replace('Result: ', '')), names);
    const reached = await scratch.call('eval_js', {
      code: 'typeof [].constructor.constructor("return this")().process + typeof console.log.constructor("return globalThis.process")()',
    });
    assert.equal(reached, 'Result: undefinedundefined');
    assert.match(await scratch.failure('eval_js', { code: 'await import("node:fs")' }), /^The code failed\./);
  });

  it('keeps nothing from one call to the next', async () => {
    await scratch.call('eval_js', { code: 'globalThis.kept = 1; Array.prototype.map = () => 7;' });
    assert.equal(
      await scratch.call('eval_js', { code: 'typeof kept + [1].map((a) => a)' }),
      'Result: undefined1',
    );
  });

  it('runs unasked, but in manual mode', async () => {
    const { accesses, title } = await scratch.prepare('eval_js', { code: '1' });
    const call = {
      id: 'a',
      name: 'eval_js',
      arguments: {},
      start: 0,
      end: 0,
      notes: [],
      mark: 'clean',
    } as const;
    const effect = scratch.registry.resolve('eval_js')?.effect ?? 'execute';
    const rules = { isTrusted: true, mode: 'auto', requireConfirmation: true, recovery: 'ask' } as const;
    const decide = (given: Parameters<typeof judgeCall>[1]): string =>
      judgeCall({ call, effect, title, accesses }, given, []).verdict.decision;
    assert.deepEqual(
      [rules, { ...rules, isTrusted: false }, { ...rules, mode: 'manual' } as const].map(decide),
      ['auto', 'auto', 'ask'],
    );
  });

  it('reads the code under other names', async () => {
    assert.equal(await scratch.call('eval_js', { script: '1 + 1' }), 'Result: 2');
  });
});
