import assert from 'node:assert/strict';
import type { ChatToHost, HostToChat } from '../../../../src/contract/chat';
import type { AgentEvent } from '../../../../src/core/words/events';
import { ChatState } from '../../../../src/webview/chat/chat-state';
import { KeptLook, type SavedState } from '../../../../src/webview/chat/saved-state';
import { runStart } from '../../../support/agent/chat-events';
import { idle, samplePickers } from '../../../support/pages/chat-harness';

/** What was said, each with its run. */
function said(...texts: readonly string[]): AgentEvent[] {
  return texts.flatMap((text) => [runStart(text), { type: 'run-end', outcome: { type: 'done' } }]);
}

function init(...texts: readonly string[]): HostToChat {
  return { type: 'init', events: said(...texts), pickers: samplePickers, ...idle };
}

/** A page, with what it posts and keeps. */
function open(saved?: SavedState) {
  const posted: ChatToHost[] = [];
  let state = saved;
  const chat = new ChatState({
    postMessage: (message) => posted.push(message),
    getState: () => state,
    setState: (value) => (state = value),
  });
  return { chat, posted, saved: () => state };
}

describe('state of the chat page', () => {
  it('posts a message after what is still being read for it', async () => {
    const { chat, posted, saved } = open();
    chat.receive(init());
    let done = (): void => undefined;
    chat.read(() => new Promise((resolve) => (done = resolve)));
    chat.read(async () => chat.post({ type: 'attach-image', name: '', data: 'AA==' }));
    chat.send('see');
    await Promise.resolve();
    assert.deepEqual([posted, chat.draft.value, saved()?.pending?.texts], [[], '', ['see']]);
    done();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['attach-image', 'send'],
    );
  });

  describe('what was unfolded and half written', () => {
    it('is there after a reload in the same conversation only', () => {
      const { chat, saved } = open();
      chat.receive(init('first', 'second'));
      chat.look.set('entry-1/Result', true);
      chat.look.keepPlace({ entry: 1, top: -8 });
      chat.write('draft');
      const again = open(saved()).chat;
      again.receive(init('first', 'second', 'third'));
      assert.deepEqual([again.look.get('entry-1/Result'), again.look.place], [true, { entry: 1, top: -8 }]);
      again.receive(init('first'));
      assert.deepEqual([again.look.get('entry-1/Result'), again.look.place], [undefined, undefined]);
      const other = open(saved()).chat;
      other.receive(init('other'));
      assert.deepEqual([other.look.get('entry-1/Result'), other.look.place], [undefined, undefined]);
    });

    it('is removed with the removed part of the conversation', () => {
      const look = new KeptLook(undefined, () => undefined);
      for (const key of ['todos', 'entry-2/a', 'entry-3/a', 'entry-10/a']) look.set(key, true);
      look.dropFrom(3);
      assert.deepEqual(
        look.saved.map(([key]) => key),
        ['todos', 'entry-2/a'],
      );
    });
  });

  describe('an earlier message that is being changed', () => {
    const first = { entry: 0, text: 'first' };

    /** A page in which it is being changed, with something else in the box before. */
    function editing() {
      const page = open();
      page.chat.receive(init('first', 'second'));
      page.chat.write('draft');
      page.chat.edit(first);
      page.chat.write('changed');
      return page;
    }

    it('is the same one after a reload', () => {
      const { chat } = open(editing().saved());
      chat.receive(init('first', 'second'));
      assert.deepEqual([chat.draft.value, chat.editing.value?.message], ['changed', first]);
    });

    it('is dropped if another conversation is shown after a reload', async () => {
      const { chat, posted } = open(editing().saved());
      chat.receive(init('other', 'second'));
      assert.deepEqual([chat.draft.value, chat.editing.value], ['changed\ndraft', undefined]);
      chat.send('changed');
      await Promise.resolve();
      assert.deepEqual(posted, [{ type: 'send', text: 'changed' }]);
    });

    it('leaves what was written when another conversation is shown, also one that begins alike', () => {
      for (const texts of [[], ['first', 'second']]) {
        const { chat, saved } = editing();
        chat.receive(init(...texts));
        assert.deepEqual([chat.draft.value, chat.editing.value], ['changed\ndraft', undefined]);
        assert.deepEqual(saved(), { draft: 'changed\ndraft' });
      }
    });

    it('leaves nothing if nothing was changed', () => {
      const { chat } = editing();
      chat.write('first');
      chat.receive(init());
      assert.equal(chat.draft.value, 'draft');
    });

    it('comes back from the host only if it is shown', () => {
      const { chat } = open();
      chat.receive(init('other'));
      chat.receive({ type: 'unsent', text: 'changed', instead: first });
      assert.deepEqual([chat.draft.value, chat.editing.value], ['changed', undefined]);
    });
  });
});
