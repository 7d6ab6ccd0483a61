import type * as vscode from 'vscode';
import { createPlatform } from './host/platform/platform';
import { createServices } from './host/services/services';
import { createUi } from './host/ui/ui';

/** VS Code does not pass anything from activation to deactivation. */
let atEnd: (() => Promise<unknown>) | undefined;

/** Builds the three floors, each over the one before. */
export function activate(context: vscode.ExtensionContext): void {
  const platform = createPlatform(context);
  const services = createServices(platform);
  atEnd = services.end;
  createUi(platform, services);
}

/** VS Code waits some seconds for this before it ends the extension host; it does not wait for disposal alone. */
export async function deactivate(): Promise<void> {
  await atEnd?.();
}
