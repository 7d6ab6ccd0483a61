import { createHash, randomBytes } from 'node:crypto';
import { JsonServer, type JsonAnswer, type JsonRequest } from './json-server';

interface Client {
  /** `null`: a public client, which has none. */
  readonly secret: string | null;
  readonly redirects: readonly string[];
}

interface Code {
  readonly client: string;
  readonly redirect: string;
  readonly challenge: string;
}

/** A strict OAuth 2.1 server with PKCE that issues keys and registers any client. */
export class AuthorizationServer {
  /** The currently valid keys. */
  readonly accessTokens = new Set<string>();
  /** Every secret ever issued. */
  readonly given: string[] = [];
  readonly registrations: string[] = [];
  registersAnybody = true;
  private readonly clients = new Map<string, Client>();
  private readonly codes = new Map<string, Code>();
  private readonly refreshTokens = new Map<string, string>();

  private constructor(readonly http: JsonServer) {}

  static async start(): Promise<AuthorizationServer> {
    const http: JsonServer = new JsonServer((question) => server.answer(question));
    const server: AuthorizationServer = new AuthorizationServer(http);
    await http.listen();
    return server;
  }

  get issuer(): string {
    return this.http.origin;
  }

  /** Knows a public client that its owner has registered by hand. */
  know(id: string, ...redirects: readonly string[]): void {
    this.clients.set(id, { secret: null, redirects });
  }

  /** Expires all keys; refresh tokens stay valid. */
  expire(): void {
    this.accessTokens.clear();
  }

  /** Revokes all refresh tokens. */
  revoke(): void {
    this.expire();
    this.refreshTokens.clear();
  }

  private answer({ url, body }: JsonRequest): JsonAnswer {
    const { issuer } = this;
    switch (url.pathname) {
      case '/.well-known/oauth-authorization-server':
        return {
          status: 200,
          json: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            ...(this.registersAnybody && { registration_endpoint: `${issuer}/register` }),
            response_types_supported: ['code'],
            code_challenge_methods_supported: ['S256'],
            token_endpoint_auth_methods_supported: ['client_secret_post'],
            authorization_response_iss_parameter_supported: true,
          },
        };
      case '/register':
        return this.register(body);
      case '/authorize':
        return this.authorize(url.searchParams);
      case '/token':
        return this.token(new URLSearchParams(body));
      default:
        return { status: 404, json: {} };
    }
  }

  private register(body: string): JsonAnswer {
    // SAFETY: a client registers with this body.
    const asked = JSON.parse(body) as { readonly redirect_uris: readonly string[] };
    const id = `client-${this.clients.size + 1}`;
    const secret = this.give();
    this.clients.set(id, { secret, redirects: asked.redirect_uris });
    this.registrations.push(body);
    return { status: 201, json: { ...asked, client_id: id, client_secret: secret } };
  }

  private authorize(query: URLSearchParams): JsonAnswer {
    const client = query.get('client_id') ?? '';
    const redirect = query.get('redirect_uri') ?? '';
    const challenge = query.get('code_challenge') ?? '';
    const isKnown = this.clients.get(client)?.redirects.includes(redirect) === true;
    if (!isKnown || challenge === '' || query.get('code_challenge_method') !== 'S256') {
      return { status: 400, json: { error: 'invalid_request' } };
    }
    // With characters that are encoded in a URL.
    const code = `${this.give()}+/=`;
    this.codes.set(code, { client, redirect, challenge });
    const back = new URL(redirect);
    for (const [name, value] of Object.entries({ code, state: query.get('state') ?? '', iss: this.issuer }))
      back.searchParams.append(name, value);
    return { status: 302, headers: { location: back.href } };
  }

  private token(form: URLSearchParams): JsonAnswer {
    const client = form.get('client_id') ?? '';
    if (this.clients.get(client)?.secret !== form.get('client_secret')) {
      return { status: 401, json: { error: 'invalid_client' } };
    }
    const isRight =
      form.get('grant_type') === 'refresh_token' ? this.isRenewable(client, form) : this.isCode(client, form);
    if (!isRight) return { status: 400, json: { error: 'invalid_grant' } };
    const [access, refresh] = [this.give(), this.give()];
    this.accessTokens.add(access);
    this.refreshTokens.set(refresh, client);
    const times = { token_type: 'Bearer', expires_in: 3_600 };
    return { status: 200, json: { ...times, access_token: access, refresh_token: refresh } };
  }

  private isRenewable(client: string, form: URLSearchParams): boolean {
    const token = form.get('refresh_token') ?? '';
    const isTheirs = this.refreshTokens.get(token) === client;
    // Each is valid once.
    this.refreshTokens.delete(token);
    return isTheirs;
  }

  private isCode(client: string, form: URLSearchParams): boolean {
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      code?.client === client && code.redirect === form.get('redirect_uri') && code.challenge === challenge
    );
  }

  private give(): string {
    const secret = randomBytes(24).toString('base64url');
    this.given.push(secret);
    return secret;
  }
}
