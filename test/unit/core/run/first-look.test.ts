import assert from 'node:assert/strict';
import { isQuestion, namedFiles, namedSymbol, namesProject } from '../../../../src/core/run/first-look';

const FILES = ['README.md', 'src/a.js', 'src/b.js', 'test/a.js', 'conf/main.ini', 'lib/util/price.py'];

describe('the files that a message names', () => {
  const rows: readonly (readonly [message: string, files: readonly string[]])[] = [
    ['Fix src/a.js, please.', ['src/a.js']],
    ['What does price.py do?', ['lib/util/price.py']],
    ['a.js is wrong', []],
    ['把conf/main.ini里的timeout改成45。', ['conf/main.ini']],
    ['Compare ./src/b.js with src\\a.js.', ['src/b.js', 'src/a.js']],
    ['Is "README.md" (and src/a.js) fine? README.md!', ['README.md', 'src/a.js']],
    ['README.md src/a.js src/b.js test/a.js', ['README.md', 'src/a.js', 'src/b.js']],
    ['src/a.json and xsrc/a.js and src/a.js.bak', []],
    ['Hello', []],
  ];
  for (const [message, files] of rows) {
    it(message, () => assert.deepEqual(namedFiles(message, FILES), files));
  }
});

describe('whether a message names something of the project', () => {
  for (const message of [
    'Run `node x`.',
    'Rename parsePrice.',
    'Where is MAX_SIZE set',
    'Call total() twice',
    'Make the tests pass.',
    '修好测试',
    'Look into src',
    'Create new.txt',
  ]) {
    it(`does: ${message}`, () => assert.ok(namesProject(message, FILES)));
  }
  for (const message of [
    'What is a closure?',
    'Say hello.',
    'How do I sort a list in Python?',
    '你好',
    'e.g. this',
  ]) {
    it(`does not: ${message}`, () => assert.ok(!namesProject(message, FILES)));
  }
});

describe('a question', () => {
  for (const message of [
    'What is the port?',
    'Which file',
    '端口是多少？',
    'In which file is `parse`? Answer with its path only.',
    '状态为 open 的订单一共有多少个？只回答数字。',
  ]) {
    it(`is: ${message}`, () => assert.ok(isQuestion(message)));
  }
  for (const message of [
    'Is it? Then fix it.',
    'Change the port to 3.',
    'However, fix it',
    'Can you rename it?',
  ]) {
    it(`is not: ${message}`, () => assert.ok(!isQuestion(message)));
  }
});

describe('the name of code that a message names first', () => {
  const rows: readonly (readonly [message: string, name: string | undefined])[] = [
    ['Rename the function getUsr to findUser, everywhere it is used.', 'getUsr'],
    ['Rename the class Rec in the package shop to Receipt.', 'Rec'],
    ['Which function raises QuotaExceeded?', 'QuotaExceeded'],
    ['把配置项 pollMs 改名为 pollIntervalMs。', 'pollMs'],
    ['Where is `total` defined?', 'total'],
    ['Where is MAX_SIZE set?', 'MAX_SIZE'],
    ['Look into src/parsePrice.js.', undefined],
    ['Run `node x.js`.', undefined],
    ['Say hello.', undefined],
  ];
  for (const [message, name] of rows) it(message, () => assert.equal(namedSymbol(message), name));
});
