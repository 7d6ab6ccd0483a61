import assert from 'node:assert/strict';
import { choiceOf, chosenFiles, markedLines, markLines } from '../../hosts/test-run';

describe('markLines', () => {
  for (const text of ['one line', 'two\nlines', '', '  indented\n\nafter an empty line']) {
    it(`is undone by markedLines: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(markedLines(markLines(text)), text.split('\n'));
    });
  }

  it('lets markedLines leave out what VS Code says around it', () => {
    const output = [
      '[main] starting',
      markLines('  ✔ opens'),
      'Lock acquired.',
      `[log] ${markLines('1 passing')}`,
    ];
    assert.deepEqual(markedLines(output.join('\n')), ['  ✔ opens', '1 passing']);
  });
});

describe('chosenFiles', () => {
  for (const files of [undefined, ['/a/one.test.js'], ['/a/one.test.js', '/b c/two.test.js']]) {
    it(`gives what choiceOf was given: ${JSON.stringify(files)}`, () => {
      assert.deepEqual(chosenFiles(choiceOf(files)), files);
    });
  }
});
