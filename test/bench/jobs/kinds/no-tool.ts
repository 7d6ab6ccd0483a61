import assert from 'node:assert/strict';
import { file, type Job } from '../job';

const files = {
  'README.md': file`
    # Kiln

    Plans the firing of pottery.
  `,
  'src/plan.js': file`
    exports.plan = (pieces, room) => {
      const fits = pieces.filter((piece) => piece.height < room.height);
      return fits.sort((a, b) => b.height - a.height);
    };
  `,
};

export const noTool: readonly Job[] = [
  {
    name: 'amend-commit',
    kind: 'no-tool',
    files,
    task: 'Which option of git commit replaces the last commit and keeps its message without opening an editor? Answer with the whole command.',
    check(folder, answer) {
      folder.changedOnly();
      assert.match(answer, /--amend/);
      assert.match(answer, /--no-edit|-C HEAD|--reuse-message/);
    },
    right: [{ answer: 'git commit --amend --no-edit' }, { answer: 'Use `git commit --no-edit --amend`.' }],
    wrong: [
      { answer: 'git commit --amend' },
      { answer: 'git commit -m "message"' },
      { answer: 'git reset --soft HEAD~1' },
    ],
  },
  {
    name: 'value-of-expression',
    kind: 'no-tool',
    files,
    task: '不用看项目:在 JavaScript 里,[7, 2, 5].map((x) => x * 3).filter((x) => x > 10) 的结果是什么数组?',
    check(folder, answer) {
      folder.changedOnly();
      const arrays = [...answer.matchAll(/\[([\d\s,]+)\](?!\s*\.)/g)].map(([, list = '']) =>
        list.replace(/\s/g, ''),
      );
      // The last one is the result, after those that lead to it.
      assert.equal(arrays.at(-1), '21,15');
    },
    right: [
      { answer: '[21, 15]' },
      { answer: '`[7, 2, 5].map((x) => x * 3)` 得到 [21, 6, 15],再过滤后是 `[21,15]`。' },
    ],
    wrong: [{ answer: '[21, 6, 15]' }, { answer: '[15, 21]' }, { answer: '结果是 [7, 2, 5]。' }],
  },
];
