// What services under test need: a new data folder, a clock that moves only when a test advances it, and an endpoint.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsService } from '../../../local/aws/service.ts';
import { Clock } from '../../../local/clock/clock.ts';
import { createJsonLog, type Log } from '../../../local/log.ts';
import { Storage } from '../../../local/storage/storage.ts';
import type { Resource, ResourceTypes, StackEnvironment } from '../../../local/template/resource-type.ts';

export const environment: StackEnvironment = {
  stackName: 'Test',
  region: 'eu-west-1',
  accountId: '123456789012',
  publicUrl: 'http://localhost:3000',
  awsUrl: 'http://localhost:3001',
};

export const startMs = Date.parse('2026-01-01T00:00:00.000Z');

export interface TestRuntime {
  storage: Storage;
  clock: Clock;
  environment: StackEnvironment;
  log: Log;
  lines: string[];
  folder: string;
  /** Reopens the folder `laterMs` after a crash of the process. */
  afterCrash(laterMs?: number): TestRuntime;
  end(): void;
}

export function aTestRuntime(folder = mkdtempSync(join(tmpdir(), 'local-')), nowMs = startMs): TestRuntime {
  const storage = new Storage(folder);
  const clock = new Clock({ systemNow: () => nowMs });
  const lines: string[] = [];
  const runtime: TestRuntime = {
    storage,
    clock,
    environment,
    log: createJsonLog((line) => lines.push(line)),
    lines,
    folder,
    afterCrash: (laterMs = 0) => {
      const laterNowMs = clock.now() + laterMs;
      clock.stop();
      storage.close();
      return aTestRuntime(folder, laterNowMs);
    },
    end: () => {
      clock.stop();
      storage.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return runtime;
}

export function aResource(types: ResourceTypes, type: string, logicalId: string, properties: object): Resource {
  return {
    logicalId,
    type,
    properties,
    physicalId: types[type]!.ref(logicalId, properties, environment),
    attributes: types[type]!.attributes?.(logicalId, properties, environment) ?? {},
    metadata: {},
  };
}

/** Calls a service like the SDK, without the network. */
export async function request(service: AwsService, target: string, input: object) {
  const response = await service.handle(
    {
      method: 'POST',
      path: '/',
      query: new URLSearchParams(),
      headers: { 'x-amz-target': target },
      body: Buffer.from(JSON.stringify(input)),
    },
    () => {},
  );
  return { status: response.status, headers: response.headers, body: JSON.parse(String(response.body)) };
}

/** Serves one service over HTTP while `run` runs. */
export async function overHttp<T>(service: AwsService, run: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url ?? '/', 'http://localhost');
    const response = await service.handle(
      {
        method: incoming.method ?? 'POST',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers as Record<string, string | undefined>,
        body: Buffer.concat(chunks),
      },
      () => {},
    );
    outgoing.writeHead(response.status, response.headers).end(response.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

export const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
