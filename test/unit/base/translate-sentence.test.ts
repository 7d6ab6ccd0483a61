import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { sentenceTranslator } from '../../../src/base/translate-sentence';

const translate = sentenceTranslator({
  Run: '运行',
  'it changes a file/sentence': '它会修改文件',
  'outside the workspace/sentence': '在工作区之外',
  'no rule matches {0}/sentence': '没有规则匹配 {0}',
  'working folder: {0}/sentence': '工作文件夹：{0}',
  'No answer from {0}/sentence': '{0} 没有应答',
  '{0}. Trying again in {1} s ({2} of {3})./sentence': '{0}。{1} 秒后重试（第 {2} 次，共 {3} 次）。',
  '{0}: {1}/sentence': '{0}：{1}',
  '{0} has no model "{1}"/sentence': '{0} 没有模型“{1}”',
});

const cases: readonly { readonly name: string; readonly english: string; readonly expect: string }[] = [
  { name: 'a whole sentence', english: 'it changes a file', expect: '它会修改文件' },
  { name: 'what is filled in', english: 'no rule matches npm test', expect: '没有规则匹配 npm test' },
  {
    name: 'a sentence after a colon',
    english: 'working folder: outside the workspace',
    expect: '工作文件夹：在工作区之外',
  },
  {
    name: 'a sentence at the beginning',
    english: 'No answer from http://a/v1. Trying again in 2 s (3 of 5).',
    expect: 'http://a/v1 没有应答。2 秒后重试（第 3 次，共 5 次）。',
  },
  {
    name: 'a sentence and a name, with nothing between them but a colon',
    english: 'outside the workspace: ../it changes a file',
    expect: '在工作区之外：../it changes a file',
  },
  { name: 'not what merely has a colon', english: 'Error: no', expect: 'Error: no' },
  {
    name: 'not a name that reads like a sentence',
    english: 'no rule matches it changes a file',
    expect: '没有规则匹配 it changes a file',
  },
  { name: 'nothing unknown', english: 'constructor', expect: 'constructor' },
  { name: 'not the text of a button', english: 'Run', expect: 'Run' },
  {
    name: 'the values in the order of the translation',
    english: 'http://a has no model "x"',
    expect: 'http://a 没有模型“x”',
  },
];

describe('translating sentences', () => {
  for (const { name, english, expect } of cases) {
    it(`translates ${name}`, () => assert.equal(translate(english), expect));
  }

  it('never throws, and puts every value in its place, with any content', () => {
    const value = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(value, (text) => {
        assert.equal(translate(`no rule matches ${text}`), `没有规则匹配 ${text}`);
        translate(text);
      }),
    );
  });

  it('changes nothing without a bundle', () => {
    assert.equal(sentenceTranslator({})('it changes a file'), 'it changes a file');
  });
});
