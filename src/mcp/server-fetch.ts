import type { HttpDefinition } from './definition';
import { ServerProblem } from './ports';

/**
 * A fetch for one server and for where it leads when it wants a sign-in. Its headers may hold keys, so they go to its own
 * origin alone; other origins are reached by https, unless server and other are both of this machine.
 */
export function serverFetch(
  fetchFrom: typeof fetch,
  { url, headers }: Pick<HttpDefinition, 'url' | 'headers'>,
): typeof fetch {
  const server = new URL(url);
  return async (input, init) => {
    const request = new URL(input instanceof Request ? input.url : input);
    if (request.origin !== server.origin) {
      if (request.protocol !== 'https:' && !(isThisMachine(request) && isThisMachine(server))) {
        throw new ServerProblem(
          `It leads to ${request.origin}, which is not https. Parley does not go there.`,
        );
      }
      return fetchFrom(input, init);
    }
    const all = new Headers(headers);
    // What the connection itself has to say, such as who has signed in, counts more.
    new Headers(init?.headers).forEach((value, name) => all.set(name, value));
    return fetchFrom(input, { ...init, headers: all });
  };
}

export function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}
