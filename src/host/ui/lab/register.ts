import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';
import { Lab } from './lab';
import type { RequestLog } from './request-log';

export function registerLab(platform: Platform, services: Services, requests: RequestLog): Lab {
  const lab = platform.own(new Lab({ ...platform, ...services, requests }));
  platform.own(registerCommands({ openLab: () => lab.open(), inspectReply: () => lab.inspect() }));
  return lab;
}
