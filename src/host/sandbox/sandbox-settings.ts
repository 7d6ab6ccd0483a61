import type { SandboxSettings } from '../../node/sandbox/settings';
import type { SettingsStore } from '../window/settings';

/** What the user has set about the sandbox. A workspace has no say in it. */
export function sandboxSettings(settings: Pick<SettingsStore, 'get'>): SandboxSettings {
  return {
    isEnabled: settings.get('sandbox.enabled') === 'on',
    runUnasked: settings.get('sandbox.runUnasked'),
    allowedDomains: settings.get('sandbox.allowedDomains'),
    readPaths: settings.get('sandbox.readPaths'),
    writePaths: settings.get('sandbox.writePaths'),
    git: settings.get('sandbox.git'),
    outsideCommands: settings.get('sandbox.outsideCommands'),
  };
}
