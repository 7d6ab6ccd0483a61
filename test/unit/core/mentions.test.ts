import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  draftBefore,
  findMentions,
  readMentions,
  writeMention,
  type Mention,
} from '../../../src/core/mentions';
import { cpuMs } from '../../support/measure/cpu-time';

const file = (path: string): Mention => ({ type: 'file', path });
const part = (path: string, first: number, last = first): Mention => ({
  type: 'file',
  path,
  lines: { first, last },
});
const folder = (path: string): Mention => ({ type: 'folder', path });
const resource = (server: string, uri: string): Mention => ({ type: 'resource', server, uri });
const problems: Mention = { type: 'problems' };
const terminal: Mention = { type: 'terminal' };

const rows: readonly { name: string; text: string; mentions: readonly Mention[] }[] = [
  { name: 'a file', text: '@file:src/a.ts', mentions: [file('src/a.ts')] },
  { name: 'a folder', text: 'look at @folder:src/ now', mentions: [folder('src/')] },
  { name: 'a path with blanks', text: 'see @file:"my file.ts".', mentions: [file('my file.ts')] },
  { name: 'lines of a file', text: '@file:src/a.ts#L3-9', mentions: [part('src/a.ts', 3, 9)] },
  { name: 'one line, at the end of a sentence', text: 'See @file:a.ts#L3.', mentions: [part('a.ts', 3)] },
  { name: 'lines as web pages write them', text: '(@file:a.ts#L3-L9)', mentions: [part('a.ts', 3, 9)] },
  {
    name: 'lines of a path with blanks',
    text: '@file:"my file.ts"#L3-9, @file:"b c"#L4.',
    mentions: [part('my file.ts', 3, 9), part('b c', 4)],
  },
  { name: 'a name that looks like lines', text: '@file:"a#L3"', mentions: [file('a#L3')] },
  {
    name: 'no lines that cannot be',
    text: '@file:a#L0 @file:b#L9-3 @file:c#Lx @file:#L3 @file:"d"#L9-3',
    mentions: [file('a#L0'), file('b#L9-3'), file('c#Lx'), file('#L3'), file('d')],
  },
  { name: 'no lines of a folder', text: '@folder:a#L3', mentions: [folder('a#L3')] },
  { name: 'problems and terminal', text: '@problems and @terminal', mentions: [problems, terminal] },
  { name: 'several', text: '@file:a @folder:b\n@file:c', mentions: [file('a'), folder('b'), file('c')] },
  { name: 'each once', text: '@file:a, @problems, @file:a @problems', mentions: [file('a'), problems] },
  {
    name: 'a path without the end of the sentence',
    text: 'fix @file:a.ts. Then @file:b.ts!',
    mentions: [file('a.ts'), file('b.ts')],
  },
  { name: 'a path in brackets', text: '(@file:a.ts) [@folder:b]', mentions: [file('a.ts'), folder('b')] },
  {
    name: 'a path that contains brackets',
    text: '@folder:app/(main)/[slug]',
    mentions: [folder('app/(main)/[slug]')],
  },
  { name: 'a path in quotes of the sentence', text: '"@file:a.ts"', mentions: [file('a.ts')] },
  { name: 'the folder itself', text: '@folder:. please', mentions: [folder('.')] },
  { name: 'other scripts', text: '@file:文件/é.txt', mentions: [file('文件/é.txt')] },
  { name: 'a Windows path', text: String.raw`@file:C:\a\b.txt`, mentions: [file(String.raw`C:\a\b.txt`)] },
  {
    name: 'resources of servers',
    text: 'With @mcp:docs:file:///a.md, and (@mcp:db:table://x/y?z=1#t).',
    mentions: [resource('docs', 'file:///a.md'), resource('db', 'table://x/y?z=1#t')],
  },
  {
    name: 'a resource with blanks',
    text: '@mcp:"my docs:note://a b"!',
    mentions: [resource('my docs', 'note://a b')],
  },
  {
    name: 'no resource without a server or an address',
    text: '@mcp:a @mcp::b @mcp:a: @mcp:"x"',
    mentions: [],
  },
  { name: 'no address of a person', text: 'me@file:a.ts and you.@problems', mentions: [] },
  { name: 'no package', text: '@types/node @problems/x @terminal-kit @problems_x', mentions: [] },
  { name: 'nothing without a path', text: '@file: @folder:"" @file:"open', mentions: [] },
  { name: 'no other word', text: '@files:a @File:a @problemsolver', mentions: [] },
];

describe('mentions', () => {
  for (const { name, text, mentions } of rows) {
    it(`finds ${name}`, () => assert.deepEqual(findMentions(text), mentions));
  }

  it('reads every mention back as it was written', () => {
    const paths = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a-z ./()[\]"'.,]+$/),
      fc.stringMatching(/^[a ]?#?L?[0-9]-?[0-9]$/),
    );
    const some = fc.integer({ min: 1, max: 99_999 });
    const lines = fc.option(fc.tuple(some, some).map((pair) => pair.sort((a, b) => a - b)));
    fc.assert(
      fc.property(paths, fc.constantFrom('file', 'folder'), lines, fc.lorem(), (path, type, range, words) => {
        const [first = 1, last = 1] = range ?? [];
        const mention: Mention =
          type === 'file' && range ? { type, path, lines: { first, last } } : { type, path };
        const written = writeMention(mention);
        if (written === undefined) return;
        assert.deepEqual(findMentions(`${words} ${written} ${words}`), [mention]);
      }),
    );
  });

  it('reads every resource back as it was written, or does not write it', () => {
    const words = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^[a-z ./:()"'#]+$/),
    );
    fc.assert(
      fc.property(words, fc.oneof(words, fc.webUrl()), fc.lorem(), (server, uri, around) => {
        const mention = resource(server, uri);
        const written = writeMention(mention);
        if (written === undefined) return;
        assert.deepEqual(findMentions(`${around} ${written} ${around}`), [mention]);
      }),
    );
  });

  it('can write every resource whose server has a plain name', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w -]+$/), fc.stringMatching(/^[^"\n]+$/), (server, uri) => {
        assert.notEqual(writeMention(resource(server, uri)), undefined);
      }),
    );
  });

  it('can write every path of one line without quotes in it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^"\n]+$/), (path) => {
        assert.notEqual(writeMention({ type: 'file', path }), undefined);
      }),
    );
  });

  const unspaced: readonly { text: string; mentions: readonly Mention[]; whole?: Mention }[] = [
    {
      text: '请看 @file:src/a.ts，然后修改',
      mentions: [file('src/a.ts')],
      whole: file('src/a.ts，然后修改'),
    },
    { text: '看看@file:src/a.ts。', mentions: [file('src/a.ts')] },
    { text: '看看@file:src/a.ts的内容', mentions: [file('src/a.ts')], whole: file('src/a.ts的内容') },
    { text: 'これを@file:src/a.ts', mentions: [file('src/a.ts')] },
    { text: '파일@file:src/a.ts을', mentions: [file('src/a.ts')] },
    { text: 'ไฟล์@file:src/a.ts', mentions: [file('src/a.ts')] },
    { text: '@file:src/a.ts、@file:src/b.ts', mentions: [file('src/a.ts'), file('src/b.ts')] },
    { text: '（@file:src/a.ts）「@file:src/b.ts」', mentions: [file('src/a.ts'), file('src/b.ts')] },
    { text: '“@file:src/a.ts”', mentions: [file('src/a.ts')] },
    { text: '@file:src/a.ts#L3-9，看', mentions: [part('src/a.ts', 3, 9)] },
    { text: '@file:src/a.ts#L3-L9看', mentions: [part('src/a.ts', 3, 9)] },
    { text: '@file:"a b.ts"#L3看', mentions: [part('a b.ts', 3)] },
    { text: '@file:docs/说明.md', mentions: [file('docs/说明.md')] },
    { text: '@file:说明，v2.md', mentions: [file('说明')], whole: file('说明，v2.md') },
    { text: '@folder:src/看看', mentions: [folder('src/')], whole: folder('src/看看') },
    { text: '@folder:文档/说明/', mentions: [folder('文档/说明/')] },
    { text: '看@problems和@terminal。', mentions: [problems, { type: 'terminal' }] },
    { text: '(@file:app/(a)/[id]/p.tsx)看', mentions: [file('app/(a)/[id]/p.tsx')] },
    { text: 'é@file:a.ts', mentions: [] },
  ];
  for (const { text, mentions, whole } of unspaced) {
    it(`are found in ${text}`, () => {
      assert.deepEqual(findMentions(text), mentions);
      if (whole) assert.deepEqual(readMentions(text)[0]?.whole, whole);
    });
  }

  it('are read back between any two neighbours', () => {
    const neighbour = fc.constantFrom(
      ...[
        '',
        ' ',
        '看',
        'を',
        '을',
        '，',
        '。',
        '（',
        '）',
        '「',
        '」',
        '、',
        '"',
        '”',
        '’',
        ')',
        ']',
        '》',
        '\n',
      ],
    );
    const letter = fc.constantFrom(..."aZ5._-#/ ()[]{}<>'说明，。「」（）”’を을ก".split(''));
    const path = fc.string({ unit: letter, minLength: 1, maxLength: 16 });
    const line = fc.integer({ min: 1, max: 99 });
    const lines = fc.option(fc.tuple(line, line), { nil: undefined });
    fc.assert(
      fc.property(neighbour, path, lines, neighbour, fc.boolean(), (before, name, range, after, isFolder) => {
        const [first = 1, last = 1] = range?.toSorted((a, b) => a - b) ?? [];
        const mention = isFolder ? folder(name) : range ? part(name, first, last) : file(name);
        const written = writeMention(mention);
        assert.ok(written !== undefined, name);
        assert.deepEqual(findMentions(before + written + after), [mention]);
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws, and finds only what is in the text', () => {
    const piece = fc.oneof(
      fc.constantFrom('@', '@file:', '@folder:', '@mcp:', ':', '@problems', '"', ' ', '\n', '.', ')', 'a/b'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        for (const mention of findMentions(text)) {
          if ('path' in mention) assert.ok(mention.path !== '' && text.includes(mention.path));
          else if ('uri' in mention) assert.ok(text.includes(`${mention.server}:${mention.uri}`));
          else assert.ok(text.includes(`@${mention.type}`));
        }
      }),
    );
  });

  it('G35 takes time in proportion to the message', () => {
    for (const unit of [
      '@file:"',
      '@',
      '@file:)',
      '@file:((((',
      '@file:]]]]',
      '@mcp:a:',
      '@mcp:"a:',
      '@file:[)a',
      '@folder:/看',
      '@file:.a看',
      '看@',
    ]) {
      const took = cpuMs(() => {
        findMentions(unit.repeat(150_000));
        findMentions(`@file:${unit.at(-1)?.repeat(900_000) ?? ''}`);
      });
      assert.ok(took < 2_000, unit);
    }
  });
});

const drafts: readonly { text: string; draft: ReturnType<typeof draftBefore> }[] = [
  { text: 'see @', draft: { start: 4, type: undefined, query: '' } },
  { text: '看看@src', draft: { start: 2, type: undefined, query: 'src' } },
  { text: 'これを@', draft: { start: 3, type: undefined, query: '' } },
  { text: '파일을@src', draft: { start: 3, type: undefined, query: 'src' } },
  { text: '@pro', draft: { start: 0, type: undefined, query: 'pro' } },
  { text: '(@file:src/a', draft: { start: 1, type: 'file', query: 'src/a' } },
  { text: '@folder:"my f', draft: { start: 0, type: 'folder', query: 'my f' } },
  { text: '@mcp:docs:file:///a', draft: { start: 0, type: 'resource', query: 'docs:file:///a' } },
  { text: '@mcp:"my docs:a b', draft: { start: 0, type: 'resource', query: 'my docs:a b' } },
  { text: '@file:a @file:b', draft: { start: 8, type: 'file', query: 'b' } },
  { text: '@file:"done"', draft: undefined },
  { text: '@file:a ', draft: undefined },
  { text: 'me@exam', draft: undefined },
  { text: '@"x', draft: undefined },
  { text: `@file:${'x'.repeat(300)}`, draft: undefined },
];

describe('mention being written', () => {
  for (const { text, draft } of drafts) {
    it(`is read from ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.deepEqual(draftBefore(text.length, text), draft);
      assert.deepEqual(draftBefore(text.length, `${text}more behind the caret`), draft);
    });
  }

  it('begins where its sign is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const draft = draftBefore(text.length, text);
        if (draft) assert.equal(text[draft.start], '@');
      }),
    );
  });
});
