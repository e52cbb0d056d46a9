// A small closed-loop load: so many requests under way at once, for so long, over kept-alive connections.
import { Agent, request } from 'node:http';

export interface Shot {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Gets the text of the answer. */
  onBody?(text: string): void;
}

export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<number, number>;
  requests: number;
}

/** For so long, or so many requests, whichever is given. */
export type Amount = { seconds: number } | { requests: number };

export async function load(next: (index: number) => Shot, options: { concurrency: number } & Amount): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + ('seconds' in options ? options.seconds * 1000 : Number.POSITIVE_INFINITY);
  const most = 'requests' in options ? options.requests : Number.POSITIVE_INFINITY;
  let index = 0;
  const loop = async () => {
    while (index < most && performance.now() < endsAt) {
      const from = performance.now();
      const status = await fire(next(index++), agent);
      latencies.push(performance.now() - from);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, loop));
  const seconds = (performance.now() - startedAt) / 1000;
  agent.destroy();
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

function fire({ url, method = 'GET', headers = {}, body, onBody }: Shot, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent, timeout: 10_000 }, (response) => {
      let text = '';
      if (onBody) response.on('data', (chunk) => (text += chunk));
      else response.resume();
      response.once('end', () => {
        onBody?.(text);
        resolve(response.statusCode ?? 0);
      });
    });
    call.once('timeout', () => call.destroy(new Error(`no answer from ${url} in 10 s`)));
    call.once('error', reject);
    call.end(body);
  });
}
