import { equal } from 'node:assert/strict';
import { failedTests } from '../../../../../src/webview/shared/calls/failed-tests';

describe('failed-tests', () => {
  const rows: readonly [name: string, output: string, failed: number | undefined][] = [
    ['node --test', '# tests 5\n# pass 2\n# fail 3\n# cancelled 0\n', 3],
    ['node --test with the spec reporter', 'ℹ pass 2\nℹ fail 1\nℹ cancelled 0\n', 1],
    ['node --test without failures', '# pass 2\n# fail 0\n', undefined],
    ['Mocha', '  12 passing (30ms)\n  2 failing\n\n  1) adds\n', 2],
    ['Jest', 'Tests:       1 failed, 4 passed, 5 total\n', 1],
    [
      'Vitest in colours',
      '\u001b[2m      Tests \u001b[22m \u001b[31m4 failed\u001b[39m | 9 passed (13)\n',
      4,
    ],
    ['pytest', '==== 2 failed, 10 passed in 0.12s ====\r\n', 2],
    ['pytest -q', '1 failed, 3 passed in 0.02s\n', 1],
    ['cargo test', 'test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured\n', 1],
    ['go test', '--- FAIL: TestA (0.00s)\n    a_test.go:5: no\n--- FAIL: TestB (0.00s)\nFAIL\n', 2],
    ['unittest', 'Ran 4 tests in 0.001s\n\nFAILED (failures=2)\n', 2],
    ['another program', 'make: *** [all] Error 2\n', undefined],
  ];
  for (const [name, output, failed] of rows) it(name, () => equal(failedTests(output), failed));
});
