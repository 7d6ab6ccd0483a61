import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { readConfig } from '../../src/mcp/config-file';
import { settings } from '../../src/manifest/settings';
import { replyDeltas } from '../../src/models/recorded-stream';
import { protocols } from '../../src/protocols';
import { repository } from '../hosts/repository';
import { parseDeltas } from '../support/parse';

const readme = readFileSync(path.join(repository, 'README.md'), 'utf8');

describe('README', () => {
  it('shows settings that are valid', () => {
    const blocks = [...readme.matchAll(/^```json\n([^]*?)^```$/gm)].map(([, block]) => block ?? '');
    const shown = blocks.map((block) => JSON.parse(`{${block}}`) as Record<string, unknown>);
    assert.deepEqual(shown.flatMap(Object.keys), ['parley.models', 'parley.agents']);
    const [{ 'parley.models': models } = {}, { 'parley.agents': agents } = {}] = shown;
    z.parse(settings.models.schema, models);
    z.parse(settings.agents.schema, agents);
  });

  it('shows a configuration of MCP servers that can be used', () => {
    const [, block = ''] = /^```jsonc\n([^]*?)^```$/m.exec(readme) ?? [];
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
      const links = [...prose(file).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
      for (const [link, to = '', section] of links) {
        const target = to === '' ? file : path.join(path.dirname(file), to);
        assert.ok(existsSync(path.join(repository, target)), link);
        if (section !== undefined) assert.ok(sectionsOf(target).includes(section), link);
      }
    });
  }
});

/** The reply that a row of the table stands for, as it comes: what two of them have around it is told in words there. */
function replyOf(protocol: string, cell: string): string {
  const shown = [...cell.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code.replaceAll('\\|', '|'));
  switch (protocol) {
    case 'native':
      return `data: {"choices":[{"delta":{${shown.join('')}}}]}\n`;
    case 'vcp':
      return `<<<[TOOL_REQUEST]>>>\n${shown.join('\n')}\n<<<[END_TOOL_REQUEST]>>>`;
    default:
      return shown.join('');
  }
}

/** Relative to the folder. What is built or brought in is none of ours. */
function markdownFiles(folder: string, below = ''): readonly string[] {
  return readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    if (entry.isDirectory())
      return /^(?:\.|node_modules$|dist$|out$)/.test(entry.name) ? [] : markdownFiles(folder, name);
    return entry.name.endsWith('.md') ? [name] : [];
  });
}

/** Without code, in which brackets are no links. */
function prose(file: string): string {
  const text = readFileSync(path.join(repository, file), 'utf8');
  return text.replace(/^( *)```[^]*?^\1```$/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The names that GitHub and VS Code give to the headings of a page. */
function sectionsOf(file: string): readonly string[] {
  const text = readFileSync(path.join(repository, file), 'utf8').replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/ /g, '-'),
  );
}
