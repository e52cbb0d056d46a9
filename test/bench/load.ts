// A small closed-loop load: so many requests under way at once, for so long, over kept-alive connections.
import { Agent, request } from 'node:http';

export interface Shot {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<number, number>;
  requests: number;
}

export async function load(
  next: (index: number) => Shot,
  options: { concurrency: number; seconds: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  const latencies: number[] = [];
  const statuses: Record<number, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + options.seconds * 1000;
  let index = 0;
  const loop = async () => {
    while (performance.now() < endsAt) {
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

function fire({ url, method = 'GET', headers = {}, body }: Shot, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent, timeout: 10_000 }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    call.once('timeout', () => call.destroy(new Error(`no answer from ${url} in 10 s`)));
    call.once('error', reject);
    call.end(body);
  });
}
