import { createTransport } from '../../../node/endpoint/transport';

/** Network access for model requests: VS Code's proxy and certificate settings apply. */
export const transport = createTransport();
