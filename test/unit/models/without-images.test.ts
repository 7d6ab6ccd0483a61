import assert from 'node:assert/strict';
import { withoutImages } from '../../../src/models/without-images';
import { native } from '../../../src/protocols/native/native';
import { ScriptedModel } from '../../support/agent/test-session';

describe('model that cannot see', () => {
  it('is told how many images are left out, and gets everything else unchanged', async () => {
    const image = { mediaType: 'image/png', data: 'iVBORw0=' } as const;
    const attached = { type: 'image', label: 'a.png', image } as const;
    const turns = [
      { type: 'user', text: 'Hello.' },
      { type: 'reply', parts: [{ type: 'text', text: 'Hi.' }] },
      { type: 'user', text: 'Look.', attachments: [attached] },
      { type: 'reply', parts: [{ type: 'text', text: 'Nice.' }] },
      { type: 'user', text: 'And these.', attachments: [attached, attached] },
    ] as const;
    const request = native.request({ instructions: 'Be good.', turns, tools: [], promptForm: 'full' });
    const model = new ScriptedModel(native, []);
    const deltas = withoutImages(model).stream(request, new AbortController().signal);
    while (!(await deltas[Symbol.asyncIterator]().next()).done);
    assert.deepEqual(model.requests[0]?.messages, [
      ...request.messages.slice(0, 3),
      { role: 'user', content: 'Look.\n\n[An image is left out: this model cannot see images.]' },
      request.messages[4],
      { role: 'user', content: 'And these.\n\n[2 images are left out: this model cannot see images.]' },
    ]);
  });
});
