import { randomBytes } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as z from 'zod';
import { ServerProblem } from './ports';

/** Storage of a sign-in: one text per server, which contains tokens. */
export interface AuthorizationStore {
  readonly get: () => Promise<string | undefined>;
  readonly set: (text: string) => Promise<void>;
  readonly delete: () => Promise<void>;
}

interface AuthorizationParts {
  readonly store: AuthorizationStore;
  /** The redirect address. Computed once. */
  readonly redirect: () => Promise<string>;
  /** Called with every token before it is used or stored. */
  readonly learn: (secret: string) => void;
  /** The client that the user has registered. */
  readonly clientId?: string;
}

/** The page on which the user signs in, and the state that identifies them on return. */
export interface OpenAuthorization {
  readonly page: URL;
  readonly state: string;
}

// Further fields of the server's token response are kept.
const stored = z.looseObject({
  issuer: z.string(),
  client: z.optional(
    z.looseObject({
      client_id: z.string(),
      client_secret: z.optional(z.string()),
      redirect_uris: z.optional(z.array(z.string())),
    }),
  ),
  tokens: z.optional(
    z.looseObject({
      access_token: z.string(),
      token_type: z.string(),
      refresh_token: z.optional(z.string()),
      id_token: z.optional(z.string()),
    }),
  ),
});

/** Credentials from one issuer for one server. */
interface StoredAuthorization {
  readonly issuer: string;
  readonly client?: StoredOAuthClientInformation;
  readonly tokens?: StoredOAuthTokens;
}

/**
 * Signs in to one server through the SDK. Tokens are stored and read for each request, so that two windows share
 * them. The sign-in itself does not outlive this object.
 */
export class Authorization implements OAuthClientProvider {
  /** Known once `tokens` was called. */
  redirectUrl = '';
  private redirecting: Promise<string> | undefined;
  private secretState = '';
  private verifier: string | undefined;
  private discovery: OAuthDiscoveryState | undefined;
  private page: URL | undefined;

  constructor(private readonly parts: AuthorizationParts) {}

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'Parley',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  /** The sign-in page that the SDK wants to open; nothing if there is none. */
  get open(): OpenAuthorization | undefined {
    return this.page && { page: this.page, state: this.secretState };
  }

  state(): string {
    this.secretState = randomBytes(32).toString('hex');
    return this.secretState;
  }

  async clientInformation(
    context?: OAuthClientInformationContext,
  ): Promise<StoredOAuthClientInformation | undefined> {
    const { clientId } = this.parts;
    if (clientId !== undefined) return { client_id: clientId, ...(context && { issuer: context.issuer }) };
    const { client, tokens } = (await this.read(context)) ?? {};
    // Tokens are renewed by the client that received them, whatever its address.
    return tokens?.refresh_token !== undefined || this.isHere(client) ? client : undefined;
  }

  async saveClientInformation(
    client: StoredOAuthClientInformation,
    context?: OAuthClientInformationContext,
  ): Promise<void> {
    // Some servers omit or respell what they were given.
    const known = { ...client, redirect_uris: [this.redirectUrl] };
    await this.change({ client: known }, context ?? { issuer: client.issuer ?? '' });
  }

  async tokens(context?: OAuthClientInformationContext): Promise<StoredOAuthTokens | undefined> {
    // Called before every request, and the address must be known before the SDK starts a sign-in.
    this.redirecting ??= this.parts.redirect();
    this.redirectUrl = await this.redirecting;
    return (await this.read(context))?.tokens;
  }

  async saveTokens(tokens: StoredOAuthTokens, context?: OAuthClientInformationContext): Promise<void> {
    await this.change({ tokens }, context ?? { issuer: tokens.issuer ?? '' });
  }

  /** Opens nothing: a server may request it in the middle of a run. */
  async redirectToAuthorization(page: URL): Promise<void> {
    this.page = page;
    const { client } = (await this.read()) ?? {};
    if (this.parts.clientId !== undefined || this.isHere(client)) return;
    // The tokens could not be renewed, and their client was registered with the address of another window.
    await this.parts.store.delete();
    throw new ServerProblem('The sign-in has expired. Restart the server to sign in again.');
  }

  saveCodeVerifier(verifier: string): void {
    this.parts.learn(verifier);
    this.verifier = verifier;
  }

  codeVerifier(): string {
    if (this.verifier !== undefined) return this.verifier;
    throw new ServerProblem('The sign-in has not started. Restart the server.');
  }

  async saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    this.discovery = discovery;
    const { authorizationServerMetadata: known } = discovery;
    if (!known || known.registration_endpoint !== undefined) return;
    // No server can know it from us.
    if (await this.clientInformation({ issuer: known.issuer })) return;
    throw new ServerProblem(
      `The server requires a sign-in at ${known.issuer}, which does not accept new clients. Register one there and set its ID as "oauth": { "clientId": "…" }, or set a key in "headers".`,
    );
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.discovery;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'verifier') this.verifier = undefined;
    if (scope === 'all' || scope === 'discovery') this.discovery = undefined;
    if (scope === 'all') return this.parts.store.delete();
    const { client, tokens, issuer } = (await this.read()) ?? {};
    if (issuer === undefined) return;
    if (scope === 'client') await this.write({ issuer, ...(tokens && { tokens }) });
    if (scope === 'tokens') await this.write({ issuer, ...(client && { client }) });
  }

  private isHere(client: StoredOAuthClientInformation | undefined): boolean {
    return (
      client !== undefined && 'redirect_uris' in client && client.redirect_uris.includes(this.redirectUrl)
    );
  }

  /** Credentials of another issuer are not returned. */
  private async read(context?: OAuthClientInformationContext): Promise<StoredAuthorization | undefined> {
    const text = await this.parts.store.get();
    const found = text === undefined ? undefined : readStored(text);
    if (!found) return undefined;
    for (const secret of secretsIn(found)) this.parts.learn(secret);
    return context && context.issuer !== found.issuer ? undefined : found;
  }

  private async change(
    part: Partial<StoredAuthorization>,
    context: OAuthClientInformationContext,
  ): Promise<void> {
    await this.write({ ...(await this.read(context)), ...part, issuer: context.issuer });
  }

  private async write(authorization: StoredAuthorization): Promise<void> {
    for (const secret of secretsIn(authorization)) this.parts.learn(secret);
    await this.parts.store.set(JSON.stringify(authorization));
  }
}

function readStored(text: string): StoredAuthorization | undefined {
  try {
    // SAFETY: the SDK checks what it reads; the rest was stored by the SDK.
    return stored.parse(JSON.parse(text)) as StoredAuthorization;
  } catch (error) {
    // Unreadable credentials lead to a new sign-in.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return undefined;
    throw error;
  }
}

function secretsIn({ client, tokens }: StoredAuthorization): readonly string[] {
  return [client?.client_secret, tokens?.access_token, tokens?.refresh_token, tokens?.id_token].filter(
    (secret) => secret !== undefined,
  );
}
