import { equal } from 'node:assert/strict';
import { mayDownload } from '../../../src/mcp/start-time';

describe('the first start of a server', () => {
  const cases: readonly [command: string, args: readonly string[], may: boolean][] = [
    ['npx', ['-y', 'a'], true],
    ['/usr/local/bin/uvx', ['a'], true],
    ['C:\\Program Files\\Docker\\docker.EXE', ['run', 'a'], true],
    ['cmd', ['/d', '/c', 'npx.cmd', 'a'], true],
    ['cmd', ['/c', 'node', 'npx'], false],
    ['node', ['npx'], false],
    ['npx-server', [], false],
  ];
  for (const [command, args, may] of cases) {
    it(`${may ? 'may' : 'may not'} download with ${command} ${args.join(' ')}`, () => {
      equal(mayDownload({ type: 'stdio', command, args, env: {} }), may);
    });
  }

  it('downloads nothing over HTTP', () => {
    equal(mayDownload({ type: 'http', url: 'https://npx/npx', headers: {} }), false);
  });
});
