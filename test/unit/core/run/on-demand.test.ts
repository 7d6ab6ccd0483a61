import assert from 'node:assert/strict';
import { describedTools } from '../../../../src/core/run/on-demand';
import type { ToolCallConfig } from '../../../../src/core/words/config';
import type { RenderedPart } from '../../../../src/core/words/protocol';
import type { Tool } from '../../../../src/core/words/tool';
import { findProtocol, protocols } from '../../../../src/protocols';
import { matchGrammar } from '../../../../src/protocols/grammar/match';
import { native } from '../../../../src/protocols/native/native';
import {
  callOf,
  testConfig,
  testSession,
  testTool,
  type TestSession,
} from '../../../support/agent/test-session';

const AUTO = { toolsOnDemand: 'auto' } as const;
const LONG = 'It takes a text and gives it back in another way, which is told here at some length. ';

const core: Tool = { ...testTool('often', 'read', async (text) => `often ${text}`), isCore: true };
const seldom = described('seldom', 'turns a text round');
const rare = described('rare', 'counts letters');

/** A built-in tool with a description that is longer than its summary line. */
function described(name: string, summary: string): Tool {
  const tool = testTool(name, 'read', async (text) => `${name} ${text}`);
  return { ...tool, spec: { ...tool.spec, description: LONG.repeat(4), summary } };
}

function ofServer(server: string, name: string, description = LONG): Tool {
  const tool = testTool(`mcp_${server}_${name}`, 'execute', async () => 'ok');
  return {
    ...tool,
    toolset: `mcp_${server}`,
    origin: { type: 'mcp', server },
    spec: { ...tool.spec, description },
  };
}

function servers(count: number, each: number, nameLength = 8): Tool[] {
  return Array.from({ length: count }, (_, server) =>
    Array.from({ length: each }, (__, at) => ofServer(`s${server}`, `tool_${at}`.padEnd(nameLength, 'x'))),
  ).flat();
}

function offer(tools: readonly Tool[], config: Partial<ToolCallConfig> = AUTO, protocol = native) {
  const offering = { offer: { offered: () => tools, whyUnavailable: () => undefined }, protocol };
  const specs = describedTools(offering, { ...testConfig, ...config }).map(({ spec }) => spec);
  return {
    names: specs.map(({ name }) => name),
    list:
      specs
        .find(({ name }) => name === 'load_tools')
        ?.description.split('\n')
        .slice(1) ?? [],
  };
}

describe('what is described from the beginning', () => {
  const all = [core, seldom, rare];

  it('is the core and a line for each other built-in tool', () => {
    const { names, list } = offer(all);
    assert.deepEqual(names, ['often', 'load_tools', 'call_tool']);
    assert.deepEqual(list, ['seldom: turns a text round', 'rare: counts letters']);
  });

  it('has no call-by-name tool in text protocols, which can call any tool', () => {
    assert.deepEqual(offer(all, AUTO, findProtocol('vcp')).names, ['often', 'load_tools']);
  });

  for (const { title, config, tools = all, names } of [
    { title: 'is everything if nothing is on demand', config: { toolsOnDemand: 'off' } },
    {
      title: 'is everything if a list would take more',
      tools: [core, testTool('x', 'read', async () => '')],
    },
    {
      title: 'has a tool that the user has pinned',
      config: { ...AUTO, toolToggles: { seldom: true } },
      names: ['often', 'seldom', 'load_tools', 'call_tool'],
    },
    {
      title: 'has a toolset that the user has pinned',
      config: { ...AUTO, toolToggles: { test: true } },
    },
    {
      title: 'has not a tool of the core that the user wants on demand',
      config: { ...AUTO, toolToggles: { often: 'onDemand' } },
      names: ['load_tools', 'call_tool'],
    },
    {
      title: "leaves out the user's on-demand tools if the setting is off",
      config: { toolsOnDemand: 'off', toolToggles: { rare: 'onDemand' } },
      names: ['often', 'seldom', 'load_tools', 'call_tool'],
    },
    {
      title: 'has what the agent needs',
      config: {
        ...AUTO,
        agentTools: { agent: 'A', readOnly: false, toolToggles: { rare: true }, defaultToolEnabled: true },
      },
      names: ['often', 'rare', 'load_tools', 'call_tool'],
    },
    {
      title: 'is only the core if everything is on demand',
      config: { toolsOnDemand: 'on' },
      tools: [core, testTool('x', 'read', async () => ''), ofServer('a', 'b')],
      names: ['often', 'load_tools', 'call_tool'],
    },
    { title: 'has a few tools of a server', tools: [core, ...servers(1, 3)] },
    {
      title: 'has not many of them',
      tools: [core, ...servers(3, 20)],
      names: ['often', 'load_tools', 'call_tool'],
    },
  ] satisfies readonly {
    title: string;
    config?: Partial<ToolCallConfig>;
    tools?: readonly Tool[];
    names?: readonly string[];
  }[]) {
    it(title, () => {
      const expected = names ?? tools.map(({ spec }) => spec.name);
      assert.deepEqual(offer(tools, config).names, expected);
    });
  }

  it('is the same object each time, so that nothing is described again', () => {
    const offering = {
      offer: { offered: () => [...all], whyUnavailable: () => undefined },
      protocol: native,
    };
    const first = describedTools(offering, { ...testConfig, ...AUTO });
    assert.equal(describedTools(offering, { ...testConfig, ...AUTO }), first);
  });

  it('names the tools of servers with a purpose, then by names alone, then how many', () => {
    const few = [core, ofServer('git', 'log', `Shows the history. ${LONG.repeat(80)}`)];
    assert.deepEqual(offer(few).list, ['mcp_git_log: Shows the history']);
    assert.match(
      offer([core, ...servers(2, 30)]).list.join('\n'),
      /^mcp_s0: tool_0xx, tool_1xx, [^\n]*\nmcp_s1: /,
    );
    const many = offer([core, ...servers(4, 50, 30)]).list;
    assert.deepEqual(many[3], 'mcp_s3: 50 tools; give this name to list them');
  });

  it('cuts the purpose of a third-party tool, and makes hidden characters visible', () => {
    const tool = ofServer('git', 'log', `\u202e${'many words '.repeat(700)}`);
    const [line = ''] = offer([core, tool]).list;
    assert.match(line, /^mcp_git_log: ⟨U\+202E⟩many words/);
    assert.ok(line.length < 90 && line.endsWith('…'), line);
  });
});

for (const protocol of protocols) {
  describe(`tools on demand over ${protocol.id}`, () => {
    const load = (...names: string[]): RenderedPart => ({
      type: 'call',
      call: { id: 'l1', name: 'load_tools', arguments: { names } },
    });
    /** Written as the model has to. */
    const call = (text: string): RenderedPart =>
      protocol.callsByName
        ? {
            type: 'call',
            call: { id: text, name: 'call_tool', arguments: { name: 'seldom', arguments: { text } } },
          }
        : callOf('seldom', text);
    const run = async (...replies: RenderedPart[][]): Promise<TestSession> => {
      const test = testSession({ protocol, replies, tools: [core, seldom, rare], config: AUTO });
      await test.session.send('go');
      assert.deepEqual(test.errors, []);
      return test;
    };
    const results = ({ events }: TestSession): string[] =>
      events.flatMap((event) =>
        event.type === 'tool-end' ? [`${event.result.status} ${event.result.result}`] : [],
      );

    it('are brought by their names, and then run', async () => {
      const test = await run([load('seldom')], [call('x')]);
      const [loaded = '', ran] = results(test);
      assert.ok(loaded.startsWith(`success ${protocol.describeTool(seldom.spec)}`), loaded);
      assert.equal(ran, 'success seldom x');
      assert.equal(test.events.filter(({ type }) => type === 'malformed').length, 0);
    });

    it('answer the first call with their definition instead of running', async () => {
      const test = await run([call('x')], [call('y')]);
      const [told = '', ran] = results(test);
      assert.match(told, /^success seldom did not run: its definition was not loaded yet\./);
      assert.ok(told.includes(protocol.describeTool(seldom.spec)));
      assert.equal(told.endsWith('Use call_tool for them.'), protocol.callsByName === true);
      assert.equal(ran, 'success seldom y');
    });

    it('leave the beginning of the requests unchanged', async () => {
      const test = await run([load('seldom')], [call('x')], [call('y')], [{ type: 'text', text: 'Done.' }]);
      const sent = test.model.requests.map(({ messages, tools }) => ({ messages, tools }));
      for (const [at, { messages, tools }] of sent.slice(1).entries()) {
        const before = sent[at]!;
        assert.deepEqual(messages.slice(0, before.messages.length), before.messages);
        assert.deepEqual(tools, before.tools);
      }
    });

    it('are part of the grammar for replies once they are loaded', async () => {
      const test = await run([load('seldom')], [call('x')]);
      const loaded = test.model.requests.map(({ origin }) =>
        origin.conversation.loaded?.map(({ name }) => name),
      );
      assert.deepEqual(loaded, [undefined, ['seldom'], ['seldom']]);
    });

    it('are loaded by a name that is not listed, too', async () => {
      const test = await run([
        { type: 'call', call: { id: 'l', name: 'load_tools', arguments: { names: 'seldom, rare' } } },
      ]);
      const end = test.events.find((event) => event.type === 'tool-end');
      assert.deepEqual(end?.result.defines, ['seldom', 'rare']);
    });

    it('are part of the grammar for replies, with the tool that loads them', () => {
      const offering = {
        offer: { offered: () => [core, seldom, rare], whyUnavailable: () => undefined },
        protocol,
      };
      const specs = describedTools(offering, { ...testConfig, ...AUTO }).map(({ spec }) => spec);
      const args = { names: ['seldom'] };
      const written = protocol
        .renderReply([
          // Some forms require a thought.
          { type: 'text', text: 'Load it.' },
          { type: 'call', call: { id: '', name: 'load_tools', arguments: args } },
        ])
        .map((delta) => (delta.type === 'text' ? delta.text : ''));
      const form = protocol.grammar?.(specs);
      if (form) assert.ok(matchGrammar(form, written.join('')).isWhole, written.join(''));
      const schema = protocol.schema?.(specs);
      if (schema) assert.match(JSON.stringify(schema), /load_tools/);
    });

    it('are asked for again by names that exist', async () => {
      const test = await run([load('nothing')]);
      assert.match(
        results(test).join(),
        /^error There is no such tool: nothing\. Choose from these:\nseldom: turns a text round\nrare: /,
      );
    });
  });
}

describe('the tools of a server on demand', () => {
  const tools = [core, ...servers(2, 30, 20)];
  const ask = async (...names: string[]): Promise<string> => {
    const reply: RenderedPart = { type: 'call', call: { id: 'l', name: 'load_tools', arguments: { names } } };
    const test = testSession({ replies: [[reply]], tools, config: AUTO });
    await test.session.send('go');
    return test.events.flatMap((event) => (event.type === 'tool-end' ? [event.result.result] : [])).join();
  };

  it('are listed with their server', async () => {
    const lines = (await ask('mcp_s1')).split('\n');
    assert.equal(lines.length, 30);
    assert.match(lines[0] ?? '', /^mcp_s1_tool_0x+: It takes a text/);
  });

  it('are found by their names without the server if only one server has the name', async () => {
    const own = [core, ...servers(1, 30, 20), ofServer('git', 'log')];
    const reply: RenderedPart = {
      type: 'call',
      call: { id: 'l', name: 'load_tools', arguments: { names: ['log'] } },
    };
    const test = testSession({ replies: [[reply]], tools: own, config: AUTO });
    await test.session.send('go');
    const end = test.events.find((event) => event.type === 'tool-end');
    assert.deepEqual(end?.result.defines, ['mcp_git_log']);
    assert.match(await ask('tool_1xxxxxxxxxxxxxx'), /There is no such tool/);
  });
});

describe('call_tool', () => {
  const offered = describedTools(
    { offer: { offered: () => [core, seldom, rare], whyUnavailable: () => undefined }, protocol: native },
    { ...testConfig, ...AUTO },
  );

  for (const { title, args, expect } of [
    { title: 'without a name', args: { arguments: {} }, expect: /"name" is missing/ },
    { title: 'of itself', args: { name: 'call_tool', arguments: {} }, expect: /no tool "call_tool"/ },
    { title: 'of a tool that is not there', args: { name: 'fly', arguments: {} }, expect: /no tool "fly"/ },
  ]) {
    it(`${title} is not a call`, async () => {
      const reply: RenderedPart = { type: 'call', call: { id: 'c', name: 'call_tool', arguments: args } };
      const test = testSession({ replies: [[reply]], tools: [core, seldom, rare], config: AUTO });
      await test.session.send('go');
      const end = test.events.find((event) => event.type === 'tool-end');
      assert.equal(end?.result.status, 'error');
      assert.match(end.result.result, expect);
    });
  }

  it('runs a tool of the core, too', async () => {
    const args = { name: 'often', arguments: { text: 'x' } };
    const reply: RenderedPart = { type: 'call', call: { id: 'c', name: 'call_tool', arguments: args } };
    const test = testSession({ replies: [[reply]], tools: [core, seldom, rare], config: AUTO });
    await test.session.send('go');
    const end = test.events.find((event) => event.type === 'tool-end');
    assert.equal(end?.result.result, 'often x');
    assert.equal(end.result.toolName, 'often');
    assert.equal(offered.length, 3);
  });
});
