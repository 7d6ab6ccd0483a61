import assert from 'node:assert/strict';
import { ServerProblem } from '../../../src/mcp/ports';
import { inputsIn, putIn, usedInputs, usesFolder, variablesIn } from '../../../src/mcp/variables';
import { cpuMs } from '../../support/measure/cpu-time';

const sources = { folder: '/projects/a b', env: { NAME: 'value', LOOP: '${env:NAME}', EMPTY: '' } };
const inputs = new Map([
  ['key', '${env:NAME} $& $1'],
  ['my id', 'x'],
]);

describe('variables of a server', () => {
  for (const [text, expected] of [
    ['${workspaceFolder}/x', '/projects/a b/x'],
    ['${env:NAME}-${NAME}', 'value-value'],
    ['${env:EMPTY}|${EMPTY:-other}', '|'],
    ['${MISSING:-other}', 'other'],
    ['Bearer ${input:key}', 'Bearer ${env:NAME} $& $1'],
    ['${input:my id}', 'x'],
    // Inserted text is not expanded again.
    ['${LOOP}', '${env:NAME}'],
    ['$NAME ${} ${1} $${', '$NAME ${} ${1} $${'],
  ] as const) {
    it(`become ${JSON.stringify(expected)} in ${text}`, () => {
      assert.equal(putIn(text, sources, inputs), expected);
    });
  }

  for (const [text, message] of [
    ['${env:MISSING}', /needs the environment variable MISSING, which is not set/],
    ['${input:other}', /\$\{input:other\} may stand in/],
  ] as const) {
    it(`are missed in ${text}`, () => {
      assert.throws(
        () => putIn(text, sources, inputs),
        (error) => {
          assert.ok(error instanceof ServerProblem);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  it('need a folder for the folder', () => {
    assert.throws(() => putIn('${workspaceFolder}', { ...sources, folder: undefined }), ServerProblem);
    assert.equal(usesFolder({ type: 'http', url: 'http://x', headers: { a: '${workspaceFolder}' } }), true);
    assert.equal(usesFolder({ type: 'http', url: 'http://x', headers: {} }), false);
  });

  for (const begun of ['${env:', '${input:', '${A:-', '${A', '${']) {
    it(`are read in one go if ${begun} never ends`, () => {
      const text = begun.repeat((256 * 1024) / begun.length);
      const took = cpuMs(() => {
        assert.equal(putIn(text, sources, inputs), text);
        assert.deepEqual(inputsIn([text]), []);
      });
      assert.ok(took < 2_000);
    });
  }

  it('name what has to be entered, each once', () => {
    assert.deepEqual(inputsIn(['${input:a}${input:b}', '${input:a}', '${env:c}']), ['a', 'b']);
  });

  it('name what comes from the environment, each once', () => {
    const texts = ['${env:A}${B}', '${B:-x}${input:c}${workspaceFolder}'];
    assert.deepEqual(variablesIn(texts), ['A', 'B']);
  });

  it('include the descriptions of the inputs they ask for, and no others', () => {
    const headers = { b: '${input:b}', a: '${input:a} ${input:b}' };
    const said = [{ id: 'a', description: 'Name' }, { id: 'other' }];
    assert.deepEqual(usedInputs({ type: 'http', url: 'http://x', headers }, said), {
      inputs: [
        { id: 'b', password: true },
        { id: 'a', description: 'Name' },
      ],
    });
    assert.deepEqual(usedInputs({ type: 'http', url: 'http://x', headers: {} }, said), {});
  });
});
