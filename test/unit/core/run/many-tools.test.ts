import assert from 'node:assert/strict';
import { defaultConfig, toolsWithoutFolder } from '../../../../src/cli/built-in';
import { buildInstructions } from '../../../../src/core/run/instructions';
import { offerOver } from '../../../../src/core/run/offer';
import { describedTools } from '../../../../src/core/run/on-demand';
import type { Protocol } from '../../../../src/core/words/protocol';
import type { Tool } from '../../../../src/core/words/tool';
import { protocols } from '../../../../src/protocols';
import { ToolRegistry } from '../../../../src/tools/registry';
import { countBytes, requestText, countTokens } from '../../../support/measure/token-counter';
import { sampleMcpTools } from '../../../support/agent/sample-mcp-tools';

const MOST = 1.5;

describe('the tools of three servers', () => {
  const added = sampleMcpTools();

  it('are sixty that look like those of real ones', () => {
    assert.equal(new Set(added.map(({ spec }) => spec.name)).size, 60);
    assert.ok(added.every(({ spec }) => /[.]$/.test(spec.description)));
  });

  for (const protocol of protocols) {
    it(`make the first request at most ${MOST} times as long, in ${protocol.id}`, () => {
      const without = firstRequest(protocol, toolsWithoutFolder());
      const all = firstRequest(protocol, [...toolsWithoutFolder(), ...added]);
      for (const { toolset } of added) assert.ok(all.includes(toolset), toolset);
      for (const count of [countBytes, countTokens]) {
        const ratio = count(all) / count(without);
        assert.ok(ratio > 1 && ratio <= MOST, `${ratio.toFixed(2)} by ${count.name}`);
      }
    });
  }
});

/** Written like a chat template. */
function firstRequest(protocol: Protocol, tools: readonly Tool[]): string {
  const registry = new ToolRegistry({ tools: () => tools });
  const described = describedTools({ offer: offerOver(protocol, registry), protocol }, defaultConfig);
  const { messages, tools: functions } = protocol.request({
    ...buildInstructions({ roots: ['compute'], platform: 'linux', hasTools: true, instructions: '' }),
    turns: [{ type: 'user', text: 'Say how many parts there are in src.' }],
    tools: described.map(({ spec }) => spec),
  });
  return requestText({
    messages,
    ...(functions && { tools: functions.map((each) => ({ type: 'function', function: each })) }),
  });
}
