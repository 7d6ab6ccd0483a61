import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sentenceTranslator, TITLE } from '../../src/base/translate-sentence';
import { Meter, Spending } from '../../src/core/run/budget';
import { placeCommand } from '../../src/policy/commands/sandboxed';
import { judgeUrl } from '../../src/policy/web';
import { repository } from '../hosts/repository';
import {
  bundleFile,
  placeholders,
  manifestFile,
  readTexts,
  textsInSources,
  untranslated,
  type TextsInSources,
} from '../support/generate/l10n';
import { noBudget } from '../support/agent/no-budget';

describe('translations', () => {
  const english = readTexts(path.join(repository, 'package.nls.json'));
  const bundle = readTexts(bundleFile);
  const manifest = readTexts(manifestFile);
  let spoken: TextsInSources;

  before(function () {
    // Reads all sources with the compiler.
    this.timeout(300_000);
    spoken = textsInSources();
  });

  it('are reported if missing; `npm run l10n -- --strict` fails for them', () => {
    for (const text of untranslated(spoken)) console.warn(`      not translated: ${text}`);
  });

  it('have no unused text', () => {
    const used = new Set([...spoken.keys.map(({ text }) => text), ...spoken.others]);
    const unused = Object.keys(bundle).filter((key) => !used.has(key));
    assert.deepEqual(unused, []);
  });

  it('are looked up by constant texts', () => {
    assert.deepEqual(spoken.computed, []);
  });

  it('are what host and pages show, never the text of the source', () => {
    assert.deepEqual(
      spoken.raw.filter(({ text }) => !NAMES.has(text)),
      [],
    );
  });

  it('say what to do next in notifications of something wrong that have no button', () => {
    assert.ok(spoken.alone.length > 5);
    assert.deepEqual(
      spoken.alone.filter(({ text }) => !/[.:] (?:[A-Z]|\{\d)/.test(text)),
      [],
    );
  });

  it('have texts of package.json and no other, in its order', () => {
    assert.deepEqual(
      Object.keys(manifest),
      Object.keys(english).filter((key) => key in manifest),
    );
  });

  it('fill in the same values', () => {
    const different = Object.entries(bundle).filter(
      ([key, text]) => text !== '' && placeholders(key).join() !== placeholders(text).join(),
    );
    assert.deepEqual(different, []);
  });

  it('keep the commands, settings and code that a text names', () => {
    const named = (text: string): readonly string[] =>
      (text.match(/\(command:[^)]*\)|`[^`]*`|#[\w.]+#/g) ?? []).sort();
    for (const [key, text] of Object.entries(english))
      if (manifest[key]) assert.deepEqual(named(manifest[key]), named(text), key);
  });

  it('are one per line and sorted, so that changes can be merged', () => {
    assert.equal(readFileSync(bundleFile, 'utf8'), `${JSON.stringify(bundle, undefined, 2)}\n`);
    assert.deepEqual(Object.keys(bundle), Object.keys(bundle).sort());
  });

  it('have pictures that VS Code can show, without style attributes, which its policy forbids', () => {
    const pictures = [english, manifest]
      .flatMap(Object.entries<string>)
      .filter(([key]) => /\.picture$/.test(key));
    assert.equal(pictures.length, 16);
    for (const [, file] of pictures)
      assert.doesNotMatch(readFileSync(path.join(repository, file), 'utf8'), /\sstyle=/, file);
  });
});

describe('sentences in Chinese', () => {
  const translate = sentenceTranslator(readTexts(bundleFile));

  it('are those that a policy gives as its reasons', () => {
    const addresses = [
      'x',
      'ftp://a.example/',
      'http://u:p@a.example/',
      'http://127.0.0.1/',
      'https://a.example/',
    ];
    assert.deepEqual(
      addresses.map((address) => translate(judgeUrl(address).verdict.reason)),
      [
        '这不是完整的地址，例如 https://example.com/page',
        '只能获取 http 和 https',
        '不会获取包含用户名或密码的地址',
        '127.0.0.1 位于本机或专用网络中',
        '它从 https://a.example 获取',
      ],
    );
  });

  it('are those for which a command would run outside the sandbox', () => {
    const commands = ['curl a.example', 'git commit', 'npm install', 'docker ps', 'sudo ls', 'reboot'];
    const inside = { decision: 'auto', reason: '' } as const;
    const outside = { decision: 'ask', reason: '' } as const;
    const reach = { isGitWritable: false, hasNetwork: false, runUnasked: true };
    const reasons = commands.map((command) => {
      const rules = { ...reach, wantsOutside: false, isElsewhere: false, outside };
      return placeCommand(inside, [command.split(' ')], rules).verdict.reason;
    });
    assert.deepEqual(reasons.map(translate), [
      '它需要网络，因此它将在沙盒外运行',
      '它会更改仓库，因此它将在沙盒外运行',
      '它会安装软件包，因此它将在沙盒外运行',
      '它会与容器服务通信，因此它将在沙盒外运行',
      '它需要其他用户的权限，因此它将在沙盒外运行',
      '它会更改系统，因此它将在沙盒外运行',
    ]);
  });

  it('are those with which a run pauses', () => {
    const meter = new Meter();
    meter.add({ inputTokens: 1_200, outputTokens: 34, cost: 1.5 }, 0);
    const spending = new Spending(meter);
    assert.deepEqual(
      [
        { ...noBudget, tokens: 1 },
        { ...noBudget, cost: 1 },
      ].map((budget) => translate(spending.exceeded(budget) ?? '')),
      [
        '在 1,234 个 token 后暂停。请继续使用同样多的 token，或提高“parley.budget.tokens”。',
        '在花费 $1.50 后暂停。请继续使用同样多的费用，或提高“parley.budget.cost”。',
      ],
    );
  });

  it('are not what merely begins like the title of a call: an agent of the user, an error of a tool', () => {
    for (const text of ['Edit docs', 'Read it again.', 'Run the tests']) assert.equal(translate(text), text);
    assert.equal(sentenceTranslator(readTexts(bundleFile), TITLE)('Edit docs'), '编辑 docs');
  });

  it('are the red lines of calls that have failed', () => {
    for (const [english, chinese] of [
      ['No file at a.txt. Did you mean b.txt?', '路径 a.txt 处没有内容（file）。是否指 b.txt？'],
      [
        'a.txt has changed since it was read. Read it again before you change it.',
        'a.txt 自读取后发生了变化。请在更改之前重新读取。',
      ],
      [
        'Edit 2 of 3: `old` was not found in a.txt. The closest place is line 5; line 5 is "b", but `old` has "c". Copy it exactly from read_file, without line numbers. Line numbers count the edits before it. No edit was applied.',
        '第 2 处编辑（共 3 处）：old 的内容没有出现在 a.txt 中。最接近的位置是第 5 行；第 5 行是 "b"，而 old 中是 "c"。请按 read_file 显示的样子从文件复制 old，不含行号。行号按前面的编辑之后计算。未应用任何编辑。',
      ],
      [
        '`old` occurs 2 times in a.txt (lines 1, 3). Add surrounding lines until only the place you mean matches, or set `expect` to 2 to replace all.',
        /^old 在 a\.txt 中出现 2 次（lines 1, 3）。请/,
      ],
      ['../x is refused: outside the workspace. Use a path inside the workspace.', /^\.\.\/x 被拒绝：/],
    ] as const) {
      const said = translate(english);
      if (typeof chinese === 'string') assert.equal(said, chinese);
      else assert.match(said, chinese);
    }
  });

  it('are those that are composed of others', () => {
    assert.equal(
      translate('No answer from http://a:1/v1. Trying again in 2 s (3 of 5).'),
      'http://a:1/v1 没有应答。2 秒后重试（第 3 次，共 5 次）。',
    );
    assert.equal(translate('outside the workspace: ../x'), '在工作区之外：../x');
    assert.equal(
      translate('Repaired JSON: closed the brackets that were left open.'),
      '已修补 JSON：补上了未闭合的括号。',
    );
  });
});

/** The same in every language, or only shown to a model. */
const NAMES: ReadonlySet<string> = new Set(['JSON', 'Parley', 'Answers with "pong".']);
