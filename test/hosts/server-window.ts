import type { Page } from 'playwright-core';
import { launchChromium } from './chromium';
import { startServer, type ServerOptions, type VsCodeServer } from './vscode-server';

export interface ServerWindowOptions extends ServerOptions {
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A VS Code server and an empty page in a headless Chromium that start and end together. */
export interface ServerWindow {
  readonly server: VsCodeServer;
  readonly page: Page;
  close(): Promise<void>;
}

export async function openServerWindow(options: ServerWindowOptions): Promise<ServerWindow> {
  const server = await startServer(options);
  try {
    const browser = await launchChromium();
    const page = await browser.newPage({ viewport: options.viewport ?? { width: 1280, height: 800 } });
    const close = async (): Promise<void> => {
      await browser.close();
      await server.stop();
    };
    return { server, page, close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}
