import assert from 'node:assert/strict';
import type { Image } from '../../../../src/core/words/attachment';
import type { ToolResult, Turn } from '../../../../src/core/words/messages';
import { imagesOf, shortenResults, withNewestImages } from '../../../../src/core/context/shorten-results';

const IMAGE: Image = { mediaType: 'image/png', data: 'AA' };

function resultsTurn(...results: readonly Pick<ToolResult, 'result' | 'images'>[]): Turn {
  const rest = { requestId: 'c', toolName: 'read', status: 'success', durationMs: 1 } as const;
  return { type: 'results', results: results.map((result) => ({ ...rest, ...result })) };
}

/** A token for every character. */
function shortened(most: number, ...results: readonly Pick<ToolResult, 'result' | 'images'>[]): ToolResult[] {
  const turn = shortenResults(resultsTurn(...results), most, (text) => text.length);
  return turn.type === 'results' ? [...turn.results] : [];
}

describe('shortened results', () => {
  it('keep their beginning and their end, each within an equal part', () => {
    const [long, short] = shortened(200, { result: `a${'x'.repeat(998)}z` }, { result: 'b' });
    const note = '[900 characters omitted: no room in the context window. Request less at once.]';
    assert.equal(long?.result, `a${'x'.repeat(49)}\n${note}\n${'x'.repeat(49)}z`);
    assert.equal(short?.result, 'b');
  });

  it('stay unchanged if there is room for them', () => {
    const result = { result: 'x'.repeat(100), images: [IMAGE] };
    assert.equal(shortened(1_100, result)[0]?.result, result.result);
    assert.deepEqual(shortened(1_100, result)[0]?.images, [IMAGE]);
    const turn = resultsTurn(result);
    assert.equal(
      shortenResults(turn, Infinity, () => 0),
      turn,
    );
  });

  it('lose images that do not fit their part, with a note about it', () => {
    const [result] = shortened(999, { result: 'one', images: [IMAGE] });
    assert.equal(result?.images, undefined);
    assert.equal(result?.result, 'one\n[Image omitted. Request it again to see it.]');
  });

  it('leave an image its room', () => {
    const [result] = shortened(1_050, { result: 'x'.repeat(500), images: [IMAGE] });
    assert.deepEqual(result?.images, [IMAGE]);
    assert.match(result.result, /^x{25}\n\[450 characters omitted/);
  });

  it('are the only turns that change', () => {
    const turn: Turn = { type: 'user', text: 'x'.repeat(100) };
    assert.equal(
      shortenResults(turn, 1, (text) => text.length),
      turn,
    );
  });
});

describe('the newest images', () => {
  it('are ten', () => {
    const turns = Array.from({ length: 12 }, (_, at) => resultsTurn({ result: `r${at}`, images: [IMAGE] }));
    const kept = withNewestImages(turns);
    assert.deepEqual(
      kept.map((turn) => imagesOf([turn]).length),
      [0, 0, ...Array.from({ length: 10 }, () => 1)],
    );
  });

  it('are fewer if they are large', () => {
    const large = { ...IMAGE, data: 'A'.repeat(8_000_000) };
    const turns = [
      resultsTurn({ result: 'a', images: [large] }, { result: 'b', images: [large] }),
      resultsTurn({ result: 'c' }),
    ];
    const [first] = withNewestImages(turns);
    assert.deepEqual(
      first?.type === 'results' && first.results.map(({ images = [] }) => images.length),
      [0, 1],
    );
  });
});
