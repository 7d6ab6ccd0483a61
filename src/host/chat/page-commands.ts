import type { HostCommand } from '../../contract/chat';
import type { CommandId } from '../../manifest/commands';

/** The commands of VS Code that the page may run by a word of the user. */
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
