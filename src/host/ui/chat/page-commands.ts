import type { HostCommand } from '../../../contract/chat';
import type { CommandId } from '../../../manifest/commands';

/** VS Code commands that the page may run when the user asks. */
export const commandOf: Readonly<Record<HostCommand, `parley.${CommandId}`>> = {
  new: 'parley.newSession',
  compact: 'parley.compactSession',
  model: 'parley.selectModel',
  protocol: 'parley.selectProtocol',
  agent: 'parley.selectAgent',
  export: 'parley.exportSession',
  sandbox: 'parley.sandboxStatus',
  tools: 'parley.showTools',
};
