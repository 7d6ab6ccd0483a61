import assert from 'node:assert/strict';
import { isNear, placeOf, type Place } from '../../../src/models/place';

describe('place of a server', () => {
  const rows: Readonly<Record<Place, readonly string[]>> = {
    loopback: [
      'http://localhost:11434/v1',
      'http://LOCALHOST./v1',
      'http://llama.localhost/v1',
      'http://127.0.0.1:8080/v1',
      'http://127.1.2.3/v1',
      'http://2130706433/v1',
      'http://0.0.0.0:8000/v1',
      'http://[::1]:8080/v1',
      'http://[::ffff:127.0.0.1]/v1',
    ],
    private: [
      'http://10.0.0.7/v1',
      'http://10.255.255.255/v1',
      'http://172.16.0.1/v1',
      'http://172.31.255.1/v1',
      'http://192.168.1.5:8000/v1',
      'http://169.254.3.4/v1',
      'http://100.64.0.1/v1',
      'http://[fd00::1]/v1',
      'http://[fc12:3::4]/v1',
      'http://[fe80::1]/v1',
      'http://[febf::1]/v1',
      'http://[::ffff:192.168.0.1]/v1',
      'http://mac-studio.local:1234/v1',
      'http://Box.LOCAL./v1',
      'http://host.docker.internal:11434/v1',
      'http://host.containers.internal:11434/v1',
      'http://gateway.docker.internal/v1',
      'http://ollama:11434/v1',
      'http://gpu-box:8000/v1',
    ],
    elsewhere: [
      'https://openrouter.ai/api/v1',
      'https://api.deepseek.com',
      'http://11.0.0.1/v1',
      'http://172.15.0.1/v1',
      'http://172.32.0.1/v1',
      'http://192.169.1.1/v1',
      'http://100.128.0.1/v1',
      'http://8.8.8.8/v1',
      'http://[2001:db8::1]/v1',
      'http://[fec0::1]/v1',
      'http://[::ffff:8.8.8.8]/v1',
      'https://127.0.0.1.example.com/v1',
      'https://localhost.example.com/v1',
      'https://llm.corp.internal/v1',
      'https://host.evil.example.internal/v1',
      'https://my.localdomain.example/v1',
      'no address',
      '',
    ],
  };
  for (const [place, addresses] of Object.entries(rows)) {
    for (const address of addresses) {
      it(`finds "${address}" ${place}`, () => {
        assert.equal(placeOf(address), place);
        assert.equal(isNear(address), place !== 'elsewhere');
      });
    }
  }
});
