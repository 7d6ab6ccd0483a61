import type { ToolSpec } from '../../core/words/tool';
import type { Reader } from '../engine/reader';
import { bare } from './bare';
import { framed } from './frames';
import { kimiK3 } from './kimi-k3';
import { messages } from './messages';

/**
 * Forms that models write on their own when a server does not convert them into calls. No prompt asks for them; they
 * are only recognized.
 */
export function leaked(tools: readonly ToolSpec[] | undefined): readonly Reader[] {
  return [kimiK3, ...messages(tools), ...bare(tools), ...framed];
}
