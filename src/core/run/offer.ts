import { visibleText } from '../../base/text';
import type { Protocol } from '../words/protocol';
import type { ToolSpec } from '../words/tool';
import type { ToolOffer } from './agent-options';

/** Third-party names can have any length. */
const SHOWN = 80;

type Sayer = Pick<Protocol, 'label' | 'unrepresentable'>;

/** The tools that can be called over a protocol. */
export function offerOver(protocol: Sayer, tools: ToolOffer): ToolOffer {
  return {
    offered: (config) => tools.offered(config).filter(({ spec }) => whyNotOver(protocol, spec) === undefined),
    whyUnavailable: (name, config) => {
      const tool = tools.offered(config).find(({ spec }) => [spec.name, spec.qualifiedName].includes(name));
      return tools.whyUnavailable(name, config) ?? (tool && whyNotOver(protocol, tool.spec));
    },
  };
}

/** Why a tool cannot be called over a protocol, in a sentence. */
export function whyNotOver(protocol: Sayer, tool: ToolSpec): string | undefined {
  const lacks = protocol.unrepresentable?.(tool);
  if (lacks === undefined) return undefined;
  const shown = visibleText(lacks.slice(0, SHOWN));
  return `Its calls need "${shown}", but protocol "${protocol.label}" cannot write it. Pick another protocol.`;
}
