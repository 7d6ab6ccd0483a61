import assert from 'node:assert/strict';
import { endings, isForEveryProgram } from '../../../../src/node/processes/start-program';

describe('the program of a server', () => {
  it('is looked for by its endings on Windows first, and by its name alone elsewhere', () => {
    assert.deepEqual(endings('win32', '.COM;.EXE;.CMD;'), ['.COM', '.EXE', '.CMD', '']);
    assert.deepEqual(endings('linux', '.COM'), ['']);
  });

  it('gets the usual environment, without secrets', () => {
    assert.ok(isForEveryProgram('PATH'));
    assert.equal(isForEveryProgram('MY_TOKEN'), false);
  });
});
