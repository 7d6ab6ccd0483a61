import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { escapeOf } from '../../../src/base/markers';
import { protocols } from '../../../src/protocols';
import { repository } from '../../hosts/repository';
import { exampleOf } from '../../support/generate/protocol-files';

const page = readFileSync(path.join(repository, 'src/protocols/README.md'), 'utf8');

describe('the page about protocols', () => {
  for (const protocol of protocols) {
    it(`shows a call and a result of ${protocol.id} as they are rendered`, () => {
      const [, blocks = ''] =
        new RegExp(`^## ${protocol.id}\\n\\n((?:\`\`\`\\w+\\n[^]*?\\n\`\`\`\\n)+)`, 'm').exec(page) ?? [];
      const shown = [...blocks.matchAll(/^```\w+\n([^]*?)\n```$/gm)].map(([, text]) => text);
      assert.deepEqual(shown, exampleOf(protocol));
    });
  }

  it('shows markers in results as they are rendered', () => {
    const rows = [...page.matchAll(/^\| (`.*`) \| `(\S+)` \| `(\S+)` \|$/gm)];
    const shown = rows.flatMap(([, ids = '', marker, escaped]) =>
      ids.split(', ').map((id) => [id.slice(1, -1), marker, escaped]),
    );
    const markers = shown.map(([id, marker = '']) => {
      const protocol = protocols.find((each) => each.id === id);
      return [id, marker, escapeOf(protocol?.markers ?? []).escape(marker)];
    });
    assert.deepEqual(shown, markers);
    assert.ok(shown.length > 0);
  });
});
