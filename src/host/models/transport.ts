import { createTransport } from '../../node/endpoint/transport';

/** How requests to models leave this window: VS Code's settings for proxies and certificates hold for it. */
export const transport = createTransport();
