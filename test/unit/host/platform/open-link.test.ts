import assert from 'node:assert/strict';
import { openLink } from '../../../../src/host/platform/open-link';

/** What the user was shown, and what was opened. */
async function follow(url: string, agrees: boolean): Promise<{ shown: string[]; opened: string[] }> {
  const shown: string[] = [];
  const opened: string[] = [];
  await openLink(url, {
    confirm: async (address) => {
      shown.push(address);
      return agrees;
    },
    open: async (address) => void opened.push(address),
  });
  return { shown, opened };
}

describe('openLink', () => {
  for (const { url, shown } of [
    { url: 'https://example.com/a?b=1#c', shown: 'https://example.com/a?b=1#c' },
    { url: 'HTTP://Example.com', shown: 'http://example.com/' },
    { url: 'https://google.com@evil.example/', shown: 'https://google.com@evil.example/' },
    { url: 'https://аpple.com/', shown: 'https://xn--pple-43d.com/' },
    { url: 'https://example.com/\u202etxt.exe', shown: 'https://example.com/%E2%80%AEtxt.exe' },
    { url: 'https:\\\\example.com\\x', shown: 'https://example.com/x' },
    { url: ' \thttps://example.com/a\nb', shown: 'https://example.com/ab' },
    { url: `https://example.com/${'x'.repeat(3_000)}`, shown: `https://example.com/${'x'.repeat(3_000)}` },
  ]) {
    it(`G15.shown: shows ${JSON.stringify(shown.slice(0, 50))} whole, and opens just that after a yes`, async () => {
      assert.deepEqual(await follow(url, true), { shown: [shown], opened: [shown] });
      assert.deepEqual(await follow(url, false), { shown: [shown], opened: [] });
    });
  }

  for (const url of [
    ...['command:workbench.action.quit', 'javascript:alert(1)', 'JaVaScRiPt:alert(1)', '\u0001javascript:x'],
    ...['vscode://file/etc/passwd', 'file:///etc/passwd', 'data:text/html,x', 'ftp://example.com/'],
    ...['//example.com', 'https:', 'http://', 'no address', '', 'blob:https://example.com/x'],
  ]) {
    it(`G15.schemes: opens and shows nothing for ${JSON.stringify(url)}`, async () => {
      assert.deepEqual(await follow(url, true), { shown: [], opened: [] });
    });
  }
});
