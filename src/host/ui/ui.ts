import type { Platform } from '../platform/platform';
import type { Services } from '../services/services';
import { registerChat } from './chat/register';
import { registerEditor } from './editor/register';
import { registerLab } from './lab/register';
import { registerModels } from './models/register';
import { registerSandbox } from './sandbox/register';
import { registerSessions } from './sessions/register';
import { registerSourceControl } from './source-control/register';
import { registerTools } from './tools/register';

/** The third floor: each feature with its own commands and views. */
export function createUi(platform: Platform, services: Services): void {
  const lab = registerLab(platform, services);
  const chat = registerChat(platform, services, (reply) => lab.inspect(reply));
  registerEditor(platform, services, chat.focus);
  registerModels(platform, services, (profile) => lab.findProtocol(profile));
  registerTools(platform, services, { onChatOpened: chat.onOpened, tryTool: (name) => lab.tryTool(name) });
  registerSessions(platform, services, chat);
  registerSandbox(platform, services);
  registerSourceControl(platform, services);
}
