import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import { Lab } from './lab';

export function registerLab(platform: Platform, services: Services): Lab {
  const lab = platform.own(new Lab({ ...platform, ...services }));
  platform.own(registerCommands({ openLab: () => lab.open(), inspectReply: () => lab.inspect() }));
  return lab;
}
