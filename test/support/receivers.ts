// Webhook receivers: real HTTP servers that record requests and send scripted responses.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api, Fields } from './incidents.ts';

export interface Received {
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test states what it expects of a body it did not type.
  body: any;
  /** When it arrived, on this machine's clock. */
  atMs: number;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** How the requests from now on are answered. */
  answer(how: Behaviour): void;
  /** Resolves when so many requests have arrived. */
  until(count: number): Promise<Received[]>;
  stop(): Promise<void>;
}

/** Gets the request and its number, from 1; a number is a status. */
export type Behaviour =
  | number
  | ((request: Received, number: number, response: ServerResponse, message: IncomingMessage) => number | undefined);

const timeoutMs = 120_000;

export async function aReceiver(behaviour: Behaviour = 200): Promise<Receiver> {
  let current = behaviour;
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const one = { headers: request.headers, bytes, body: JSON.parse(bytes.toString()), atMs: Date.now() };
    received.push(one);
    const status = typeof current === 'number' ? current : current(one, received.length, response, request);
    if (status !== undefined) response.writeHead(status).end(`answer ${received.length}`);
    for (const look of waiting) look();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (how) => {
      current = how;
    },
    until: (count) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (received.length < count) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(received);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${received.length} of ${count} requests arrived`));
        }, timeoutMs);
        waiting.add(look);
        look();
      }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An outbound webhook that delivers to the receiver. */
export async function aWebhook(api: Api, receiver: Pick<Receiver, 'url'>, fields: Fields = {}) {
  const answer = await api.post('/webhooks/outbound', {
    name: 'A receiver',
    url: receiver.url,
    events: ['incident.created'],
    ...fields,
  });
  expect(answer.status).toBe(201);
  return answer.body as { id: string; secret?: string };
}

/** A port that nobody listens on, for programs that take one. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
