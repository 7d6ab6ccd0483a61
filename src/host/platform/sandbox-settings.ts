import type { SandboxSettings } from '../../node/sandbox/settings';
import type { SettingsStore } from './settings';

/** The user's sandbox settings. A workspace cannot change them. */
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
