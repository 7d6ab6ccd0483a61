import { visibleText } from '../../base/visible-text';
import type { ResourceCompletion } from '../../contract/chat';
import { resourceFits, writeMention } from '../../core/mentions';
import { limits } from '../../policy/limits';
import type { McpResource } from './mcp-in-chat';

/** Resources that fit, in the order in which the servers list them. */
export function completeResource(
  query: string,
  resources: readonly McpResource[],
): readonly ResourceCompletion[] {
  return resources
    .filter((each) => resourceFits(query, each) && isWritable(each))
    .slice(0, limits.completionItems)
    .map((each) => ({ type: 'resource', ...each }));
}

/** One that would be drawn in another way than it is, or has no form as a mention, is left to type by hand. */
function isWritable({ server, uri }: McpResource): boolean {
  const isSeen = visibleText(server + uri) === server + uri;
  return isSeen && writeMention({ type: 'resource', server, uri }) !== undefined;
}
