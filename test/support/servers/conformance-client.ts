import { Authorization } from '../../../src/mcp/authorization';
import type { FieldValue, Form } from '../../../src/mcp/form';
import type { SignIn } from '../../../src/mcp/ports';
import { httpServer, McpHarness } from './mcp-harness';

/**
 * The client for the protocol's conformance suite: `node conformance-client.js URL`, with the scenario in the
 * environment. It connects like Parley and calls every tool once, with arguments that match its schema.
 */
async function main(url: string): Promise<void> {
  const harness = await McpHarness.create({ signIn });
  harness.answer = (form) => Promise.resolve({ action: 'accept', content: untouched(form) });
  await harness.start(httpServer('suite', url));
  const state = harness.servers.get('suite')?.state;
  if (state?.type !== 'running') throw new Error(state?.type === 'failed' ? state.problem : state?.type);
  for (const { spec } of harness.servers.tools()) {
    const required = spec.parameters.required ?? [];
    const args = Object.fromEntries(required.map((name, at) => [name, at + 2]));
    console.log(`${spec.name}: ${(await harness.call(spec.name, args)).text}`);
  }
  await harness.dispose();
}

/** A user who changes no field. */
function untouched({ fields }: Form): Record<string, FieldValue> {
  // SAFETY: the default of a field is one of its values.
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.default === undefined ? [] : [[field.key, field.default as FieldValue]],
    ),
  );
}

/** A user who signs in immediately, wherever the browser is sent. */
function signIn(): SignIn {
  let kept: string | undefined;
  const provider = new Authorization({
    store: {
      get: () => Promise.resolve(kept),
      set: (text) => Promise.resolve(void (kept = text)),
      delete: () => Promise.resolve(void (kept = undefined)),
    },
    redirect: () => Promise.resolve('http://127.0.0.1:9/callback'),
    learn: () => undefined,
  });
  const callback = async (signal: AbortSignal): Promise<URLSearchParams> => {
    const page = provider.open?.page;
    if (!page) throw new Error('There is no page to sign in on.');
    const { headers } = await fetch(page, { redirect: 'manual', signal });
    return new URL(headers.get('location') ?? '').searchParams;
  };
  return { provider, callback };
}

main(process.argv.at(-1) ?? '').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
