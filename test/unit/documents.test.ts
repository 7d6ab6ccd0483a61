import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc, type ParseError } from 'jsonc-parser';
import * as z from 'zod/mini';
import { toolsWithoutFolder } from '../../src/cli/built-in';
import { findMentions } from '../../src/core/mentions';
import { slashCommandOf } from '../../src/core/slash-commands';
import { commands } from '../../src/manifest/commands';
import { profile } from '../../src/manifest/profile';
import { readConfig } from '../../src/mcp/config-file';
import { settings } from '../../src/manifest/settings';
import { replyDeltas } from '../../src/models/recorded-reply';
import { readAddress } from '../../src/models/servers/local-servers';
import { protocols } from '../../src/protocols';
import { repository } from '../hosts/repository';
import { bundleFile, readTexts } from '../support/generate/l10n';
import { parseDeltas } from '../support/protocols/run-parser';
import { newProtocolFiles } from '../support/generate/protocol-files';

const readme = textOf('README.md');
const userPages = ['README.md', ...markdownFiles(repository).filter((file) => file.startsWith('docs/'))];

describe('README', () => {
  it('fits on a page', () => {
    assert.ok(readme.split('\n').length <= 160);
  });

  it('leads to every page for users, through the list of pages', () => {
    assert.ok(linksOf('README.md').some(([, to]) => to === 'docs/README.md'));
    const links = linksOf('docs/README.md').map(([, to = '']) => `docs/${to}`);
    assert.deepEqual(
      userPages.filter((page) => !/^(?:docs\/)?README\.md$/.test(page) && !links.includes(page)),
      [],
    );
  });

  it('lists every protocol with a call as it is read', () => {
    const rows = [...readme.matchAll(/^\| `([\w-]+)` \| [^|]+ \| (.*) \|$/gm)].map(([, ...cells]) => cells);
    const listed = rows.filter(([id]) => protocols.some((protocol) => protocol.id === id));
    assert.deepEqual(listed.map(([id = '']) => id).sort(), protocols.map(({ id }) => id).sort());
    for (const [id = '', cell = ''] of listed) {
      const protocol = protocols.find((each) => each.id === id);
      assert.ok(protocol);
      const { calls } = parseDeltas(protocol, [...replyDeltas(id, replyOf(id, cell), 0)]);
      assert.deepEqual(
        calls.map(({ name, arguments: given }) => [name, given]),
        [['read_file', { path: 'a.txt' }]],
        id,
      );
    }
  });
});

describe('pages that list or count the protocols', () => {
  for (const [file, text] of Object.entries(newProtocolFiles()).filter(([name]) => name.endsWith('.md')))
    it(`say what the list says: ${file}`, () => {
      const lines = textOf(file).split('\n');
      const made = text.split('\n');
      const at = made.findIndex((line, number) => line !== lines[number]);
      assert.ok(at < 0, `\`npm run manifest\` changes line ${at + 1} of ${file} to: ${made[at]}`);
    });
});

describe('page about the sandbox', () => {
  const page = textOf('docs/sandbox.md');

  it('has an example of every setting that can be used', () => {
    const rows = [...page.matchAll(/^\| `parley\.(sandbox\.\w+)` \| `(.*?)` \|/gm)];
    const all: Readonly<Record<string, { readonly schema: z.ZodMiniType }>> = settings;
    assert.deepEqual(
      rows.map(([, key = '']) => key).sort(),
      Object.keys(all)
        .filter((key) => key.startsWith('sandbox.'))
        .sort(),
    );
    for (const [, key = '', example = ''] of rows) all[key]?.schema.parse(JSON.parse(example));
  });

  it('explains reasons that Parley gives', () => {
    const given = Object.keys(readTexts(bundleFile));
    const [, table = ''] = /^\| what it says \|[^]*?\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const explained = [...table.matchAll(/^\| ([^|]*) \|/gm)].map(([, text = '']) =>
      text.replace('…', '{0}'),
    );
    assert.ok(explained.length > 5);
    assert.deepEqual(
      explained.filter((text) => !/^-+$/.test(text) && !given.some((reason) => reason.startsWith(text))),
      [],
    );
  });
});

describe('page about models', () => {
  const [, section = ''] = /^## Profiles\n([^]*?)^## /m.exec(textOf('docs/models.md')) ?? [];
  const rows = [...section.matchAll(/^\| (`[^|]*?) \| ([^\n]*) \|$/gm)];

  it('explains every field of a profile, and no other', () => {
    const named = rows.flatMap(([, fields = '']) => [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    assert.deepEqual(new Set(named), new Set(Object.keys(profile.shape)));
    assert.equal(named.length, new Set(named).size);
  });

  it('names every field inside of a field', () => {
    const schema = z.toJSONSchema(profile) as { readonly properties: Readonly<Record<string, object>> };
    for (const [name, field] of Object.entries(schema.properties)) {
      const inner = Object.keys('properties' in field ? (field.properties as object) : {});
      const row = rows.find(([, fields = '']) => fields.includes(`\`${name}\``))?.[0] ?? '';
      for (const each of inner) assert.ok(row.includes(each), `${name}.${each}`);
    }
  });
});

describe('pages for users', () => {
  const titles = new Set<string>(Object.values(commands).map(({ title }) => title));
  const known: Readonly<Record<string, { readonly schema: z.ZodMiniType }>> = settings;

  for (const page of userPages) {
    it(`show settings and files that are valid: ${page}`, () => {
      const blocks = [...textOf(page).matchAll(/^```jsonc?\n([^]*?)^```$/gm)].map(([, block]) => block ?? '');
      for (const block of blocks) {
        const shown = readJson(block.startsWith('{') ? block : `{${block}}`);
        for (const [key, value] of Object.entries(shown)) {
          if (key === 'mcpServers' || key === 'inputs') continue;
          // The file of `--sandbox-settings` names them without their prefix.
          const name = key.startsWith('parley.') ? key.slice('parley.'.length) : `sandbox.${key}`;
          assert.ok(known[name], key);
          z.parse(known[name].schema, value);
        }
      }
    });

    it(`name settings and commands that exist: ${page}`, () => {
      const text = textOf(page);
      const named = [...text.matchAll(/`parley\.([\w.]+)`/g)].map(([, name = '']) => name);
      const all = Object.keys(settings);
      assert.deepEqual(
        named.filter((name) => !all.some((key) => key === name || key.startsWith(`${name}.`))),
        [],
      );
      const commands = [...text.matchAll(/\*\*Parley: ([^*]+)\*\*/g)].map(([, title = '']) =>
        title.replace(/\s+/g, ' '),
      );
      assert.deepEqual(
        commands.filter((title) => !titles.has(title)),
        [],
      );
    });
  }

  it('show a configuration of MCP servers that works', () => {
    const [, block = ''] = /^```jsonc\n([^]*?)^```$/m.exec(textOf('docs/mcp.md')) ?? [];
    const { servers, inputs, problems } = readConfig(block);
    assert.deepEqual(
      [servers.map(({ name, definition }) => [name, definition.type]), inputs.map(({ id }) => id), problems],
      [
        [
          ['files', 'stdio'],
          ['search', 'http'],
        ],
        ['key'],
        [],
      ],
    );
  });

  it('show a hook that refuses the call they show', () => {
    const page = textOf('docs/approvals.md');
    const [, input = ''] = /^```text\n(\{[^]*?)^```$/m.exec(page) ?? [];
    const [, program = ''] = /^```js\n([^]*?)^```$/m.exec(page) ?? [];
    const printed = execFileSync(process.execPath, ['-e', program], { input, encoding: 'utf8' });
    assert.equal((JSON.parse(printed) as { decision: string }).decision, 'deny');
    const other = input.replaceAll('infra/', 'src/');
    assert.equal(execFileSync(process.execPath, ['-e', program], { input: other, encoding: 'utf8' }), '');
  });

  it('show mentions that are read', () => {
    const rows = [...textOf('docs/chat.md').matchAll(/^\| (`@.*?`) \|/gm)].map(([, cell = '']) => cell);
    const mentions = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text));
    assert.ok(mentions.length > 8);
    assert.deepEqual(
      mentions.filter((text) => findMentions(text).length !== 1),
      [],
    );
  });

  it('list every slash command', () => {
    const [list = ''] = /^`\/` at the start[^]*?\n\n/m.exec(textOf('docs/chat.md')) ?? [];
    const listed = [...list.matchAll(/`(\/[a-z]+)`/g)].map(([, text = '']) => text);
    assert.deepEqual(
      listed.filter((text) => text !== '/name' && slashCommandOf(text) === undefined),
      [],
    );
    assert.ok(listed.includes('/compact') && listed.length > 8);
  });

  it('show addresses that are understood', () => {
    const text = textOf('docs/models.md');
    const [, first = '', second = ''] = /address such as `([^`]+)` or\s+`([^`]+)`/.exec(text) ?? [];
    assert.deepEqual(readAddress(first)[0], 'http://127.0.0.1:8081/v1');
    assert.deepEqual(readAddress(second)[0], 'http://192.168.1.5:8000/v1');
  });

  it('list every tool in its toolset', () => {
    const rows = [...textOf('docs/tools.md').matchAll(/^\| (\w+) \| ((?:`\w+` ?)+) \|$/gm)];
    const listed = rows.flatMap(([, toolset = '', cell = '']) =>
      [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => `${toolset} ${name}`),
    );
    assert.deepEqual(
      [...listed].sort(),
      toolsWithoutFolder()
        .map((tool) => `${tool.toolset} ${tool.spec.name}`)
        .sort(),
    );
  });
});

describe('documents', () => {
  const files = markdownFiles(repository);

  it('are all of the repository', () => {
    assert.deepEqual(
      ['README.md', 'SECURITY.md', 'l10n/README.md', 'src/tools/README.md'].filter(
        (file) => !files.includes(file),
      ),
      [],
    );
  });

  for (const file of files) {
    it(`lead to files and sections that are there: ${file}`, () => {
      for (const [link, to = '', section] of linksOf(file)) {
        const target = to === '' ? file : path.join(path.dirname(file), to);
        assert.ok(existsSync(path.join(repository, target)), link);
        if (section !== undefined) assert.ok(sectionsOf(target).includes(section), link);
      }
    });
  }
});

describe('pages about the code', () => {
  const pages = markdownFiles(repository).filter((file) => /^(?:src|build)\//.test(file));
  const sources = readdirSync(path.join(repository, 'src'), { recursive: true, encoding: 'utf8' }).map(
    (file) => file.replaceAll('\\', '/'),
  );
  const folders = new Set(sources.map((file) => file.replace(/\/.*/, '')));

  it('keep the map to 12 KB', () => {
    assert.ok(statSync(path.join(repository, 'src/README.md')).size <= 12 * 1024);
  });

  for (const page of pages) {
    it(`name files and folders that are there: ${page}`, () => {
      const [text = ''] = withoutBlocks(page).split('<!-- Generated');
      // Paths that a page shows as examples do not exist.
      const examples = [...text.matchAll(/This is `[^`]*?([\w-]+)\.ts`/g)].map(([, name = '']) => name);
      const named = [...text.matchAll(/`([\w.…*/-]+)`/g)]
        .map(([, name = '']) => name)
        .filter((name) => !examples.some((example) => name.includes(`${example}.`)));
      assert.deepEqual(
        named.filter((name) => looksLikePath(name, folders) && !isThere(name, page, sources)),
        [],
      );
    });
  }
});

function looksLikePath(name: string, folders: ReadonlySet<string>): boolean {
  if (/\.(?:tsx?|mjs)$/.test(name)) return true;
  const [first = '', second] = name.split('/');
  return second !== undefined && (folders.has(first) || /^(?:src|test|build|l10n|\.\.)$/.test(first));
}

/** From the page's folder, `src` or the root of the repository; `*` and `…` match a part of a name. */
function isThere(name: string, page: string, sources: readonly string[]): boolean {
  if (/[*…]/.test(name)) {
    const like = new RegExp(`(?:^|/)${name.replaceAll('.', '\\.').replace(/[*…]/g, '[^/]+')}$`);
    return sources.some((file) => like.test(file));
  }
  return [path.dirname(page), 'src', '.'].some((from) => existsSync(path.join(repository, from, name)));
}

/** The reply that a row of the table shows; the text describes what surrounds it in two of them. */
function replyOf(protocol: string, cell: string): string {
  const shown = [...cell.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
  switch (protocol) {
    case 'native':
      return `data: {"choices":[{"delta":{${shown.join('')}}}]}\n`;
    case 'vcp':
      return `<<<[TOOL_REQUEST]>>>\n${shown.join('\n')}\n<<<[END_TOOL_REQUEST]>>>`;
    default:
      return shown.join('\n');
  }
}

/** Relative to the folder. Built and third-party files are not ours. */
function markdownFiles(folder: string, below = ''): readonly string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    if (entry.isDirectory())
      return /^(?:\.|node_modules$|dist$|out$)/.test(entry.name) ? [] : markdownFiles(folder, name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}

function textOf(file: string): string {
  return readFileSync(path.join(repository, file), 'utf8');
}

function readJson(text: string): object {
  const errors: ParseError[] = [];
  const value: unknown = parseJsonc(text, errors, { allowTrailingComma: true });
  assert.deepEqual(errors, [], text);
  assert.ok(typeof value === 'object' && value !== null, text);
  return value;
}

/** Links to files and sections of the repository. */
function linksOf(file: string): readonly RegExpExecArray[] {
  return [...prose(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
}

/** Without code, where brackets are not links. */
function prose(file: string): string {
  return withoutBlocks(file).replace(/`[^`\n]*`/g, '');
}

function withoutBlocks(file: string): string {
  return textOf(file).replace(/^( *)```[^]*?^\1```$/gm, '');
}

/** The names that GitHub and VS Code give to the headings of a page. */
function sectionsOf(file: string): readonly string[] {
  const text = textOf(file).replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );
}
