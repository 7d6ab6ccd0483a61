import { registerCommands } from '../../platform/commands';
import type { Platform } from '../../platform/platform';
import type { Services } from '../../services/services';

export function registerSandbox({ settings, output, own }: Platform, { tools }: Services): void {
  own(
    registerCommands({
      sandboxStatus: async () =>
        (await import('./sandbox-status')).showSandboxStatus({ settings, tools, output }),
    }),
  );
}
