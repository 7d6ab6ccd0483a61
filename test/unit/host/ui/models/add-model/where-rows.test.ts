import assert from 'node:assert/strict';
import { knownServers, typedAddress } from '../../../../../../src/host/ui/models/add-model/where-rows';
import { readAddress } from '../../../../../../src/models/servers/local-servers';

describe('the first step of adding a model', () => {
  const rows: readonly [typed: string, first: string | undefined][] = [
    ['', undefined],
    ['8081', 'http://127.0.0.1:8081/v1'],
    ['localhost', 'http://localhost/v1'],
    ['192.168.1.5:8000', 'http://192.168.1.5:8000/v1'],
    ['llm.example.com', 'https://llm.example.com/v1'],
    ['https://llm.example.com/api/v1', 'https://llm.example.com/api/v1'],
    ['gpu-box:8000', 'http://gpu-box:8000/v1'],
    // Names that are looked up.
    ['ollama', undefined],
    ['lm studio', undefined],
    ['llama.cpp', undefined],
    ['Z.ai', undefined],
    // An address with a password is invalid.
    ['https://me:secret@llm.example.com', undefined],
  ];
  for (const [typed, first] of rows) {
    it(`${first === undefined ? 'takes' : 'asks'} “${typed}” ${first === undefined ? 'for no address' : `at ${first}`}`, () => {
      assert.equal(typedAddress(typed)?.baseUrls[0], first);
    });
  }

  it('knows each server by an address as readAddress writes it, services over TLS', () => {
    for (const { server, isService } of knownServers) {
      assert.equal(
        server.baseUrl.startsWith(isService ? 'https://' : 'http://127.0.0.1:'),
        true,
        server.label,
      );
      assert.equal(server.baseUrl, new URL(server.baseUrl).href.replace(/\/$/, ''));
      assert.notDeepEqual(readAddress(server.baseUrl), []);
    }
  });
});
