// A load generator over keep-alive connections: a closed loop with a fixed concurrency, or an open loop with a fixed rate. It
// shares the machine with the server that it measures, so it has a minimal HTTP client that needs a fifth of the CPU time
// of node:http.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Shot {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Called with the body of the response. */
  onBody?(text: string): void;
}

export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Number of responses by status. */
  statuses: Record<number, number>;
  requests: number;
}

/** A duration or a number of requests. */
export type Amount = { seconds: number } | { requests: number };

export async function load(next: (index: number) => Shot, options: { concurrency: number } & Amount): Promise<Load> {
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + ('seconds' in options ? options.seconds * 1000 : Number.POSITIVE_INFINITY);
  const maxRequests = 'requests' in options ? options.requests : Number.POSITIVE_INFINITY;
  let index = 0;
  const loop = async () => {
    let line: Line | undefined;
    while (index < maxRequests && performance.now() < endsAt) {
      const shot = next(index++);
      line ??= await Line.to(new URL(shot.url));
      const from = performance.now();
      const status = await line.fire(shot);
      latencies.push(performance.now() - from);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    line?.close();
  };
  await Promise.all(Array.from({ length: options.concurrency }, loop));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    statuses,
    requests: latencies.length,
  };
}

export interface Arrival {
  index: number;
  status: number;
  /** From the time when the request was due, so that requests waiting for a connection count. */
  latencyMs: number;
}

/** Sends requests at a fixed rate over so many connections, whether or not the server keeps up. */
export async function loadAtRate(
  next: (index: number) => Shot,
  { perSecond, seconds, connections }: { perSecond: number; seconds: number; connections: number },
): Promise<Arrival[]> {
  const target = new URL(next(0).url);
  const free = await Promise.all(Array.from({ length: connections }, () => Line.to(target)));
  const all = [...free];
  const requests = Math.round(perSecond * seconds);
  const arrivals: Arrival[] = [];
  const startedAt = performance.now();
  let index = 0;
  const send = async (line: Line): Promise<void> => {
    const dueAt = () => startedAt + (index * 1000) / perSecond;
    while (index < requests && dueAt() <= performance.now()) {
      const [from, current] = [dueAt(), index++];
      const status = await line.fire(next(current));
      arrivals.push({ index: current, status, latencyMs: performance.now() - from });
    }
    free.push(line);
  };
  while (arrivals.length < requests) {
    const due = Math.min(requests, Math.floor(((performance.now() - startedAt) * perSecond) / 1000) + 1) - index;
    for (const line of free.splice(0, Math.max(0, due))) void send(line);
    await sleep(1);
  }
  for (const line of all) line.close();
  return arrivals;
}

const timeoutMs = 30_000;

/** One connection, with one request at a time. */
class Line {
  private readonly socket: Socket;
  private readonly host: string;
  private received: Buffer = Buffer.alloc(0);
  private waiting: { onBody: Shot['onBody']; resolve(status: number): void; reject(error: Error): void } | undefined;

  static async to(url: URL): Promise<Line> {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    await once(socket, 'connect');
    return new Line(socket, url.host);
  }

  private constructor(socket: Socket, host: string) {
    this.socket = socket;
    this.host = host;
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`no answer from ${host} in ${timeoutMs} ms`)));
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => this.waiting?.reject(error));
    socket.on('close', () => this.waiting?.reject(new Error(`${host} closed the connection`)));
  }

  fire({ url, method = 'GET', headers = {}, body = '', onBody }: Shot): Promise<number> {
    const { pathname, search } = new URL(url);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const length = method === 'GET' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
    this.socket.write(
      `${method} ${pathname}${search} HTTP/1.1\r\nhost: ${this.host}\r\n${lines.join('')}${length}\r\n${body}`,
    );
    return new Promise((resolve, reject) => {
      this.waiting = { onBody, resolve, reject };
    });
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    if (/\r\ntransfer-encoding:/i.test(head)) {
      this.socket.destroy(new Error(`an answer of ${this.host} does not say how long it is`));
      return;
    }
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (this.received.length < end + 4 + length) return;
    const body = this.received.subarray(end + 4, end + 4 + length);
    this.received = this.received.subarray(end + 4 + length);
    const { onBody, resolve } = this.waiting!;
    this.waiting = undefined;
    onBody?.(body.toString());
    resolve(Number(head.slice(9, 12)));
  }
}
