import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Objects are sent as JSON, texts as they are. */
  body?: unknown;
  /** `drop` closes the connection without a response, `hang` never responds. */
  fault?: 'drop' | 'hang';
}

export type Respond = (request: SeenRequest, nth: number) => ScriptedAnswer | Promise<ScriptedAnswer>;

/** A real HTTP server with scripted API responses. Issues numbered tokens by default. */
export class ScriptedServer {
  readonly apiRequests: SeenRequest[] = [];
  readonly tokenRequests: SeenRequest[] = [];
  respond: Respond = () => ({ body: {} });
  issueToken: Respond = (_, nth) => ({ body: { access_token: `token-${nth}`, expires_in: 3600 } });
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const seen: SeenRequest = {
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      const forToken = seen.url === '/oauth2/token';
      const list = forToken ? this.tokenRequests : this.apiRequests;
      list.push(seen);
      const answer = await (forToken ? this.issueToken : this.respond)(seen, list.length);
      if (answer.fault === 'hang') return;
      if (answer.fault === 'drop') return request.socket.destroy();
      const text = typeof answer.body === 'object' ? JSON.stringify(answer.body) : String(answer.body ?? '');
      response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(text);
    });
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }
}

export function problemBody(status: number, code: string, more: Record<string, unknown> = {}): ScriptedAnswer {
  const body = { type: 'about:blank', title: `Title of ${code}`, status, detail: `Detail of ${code}`, code, ...more };
  return { status, body, headers: { 'content-type': 'application/problem+json' } };
}
