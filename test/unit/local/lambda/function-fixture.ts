// Functions with inline code, so that every test shows what its function does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../../../../local/clock/clock.ts';
import { createFunctions, type Functions, type FunctionsOptions } from '../../../../local/lambda/functions.ts';
import { resourceTypes } from '../../../../local/lambda/resource-types.ts';
import type { Log } from '../../../../local/log.ts';
import { Storage } from '../../../../local/storage/storage.ts';
import type { Resource, StackEnvironment } from '../../../../local/template/resource-type.ts';

export const environment: StackEnvironment = {
  stackName: 'shop',
  region: 'eu-west-1',
  accountId: '123456789012',
  publicUrl: 'http://localhost:3000',
  awsUrl: 'http://127.0.0.1:3001',
};

export interface LogEntry {
  level: string;
  message: string;
  [field: string]: unknown;
}

export interface Stage {
  clock: Clock;
  storage: Storage;
  folder: string;
  functions: Functions;
  logged: LogEntry[];
  close(): Promise<void>;
}

export function recordingLog(logged: LogEntry[]): Log {
  const entry =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) =>
      void logged.push({ level, message, ...fields });
  return { info: entry('info'), warn: entry('warn'), error: entry('error') };
}

export async function aStage(
  resources: readonly Resource[],
  options: Partial<FunctionsOptions> & { folder?: string } = {},
): Promise<Stage> {
  const { folder = mkdtempSync(join(tmpdir(), 'lambda-test-')), ...more } = options;
  const clock = more.clock ?? new Clock();
  const storage = new Storage(folder);
  const logged: LogEntry[] = [];
  const functions = createFunctions({
    clock,
    storage,
    environment,
    log: recordingLog(logged),
    assetFolder: folder,
    ...more,
  });
  functions.load(resources);
  await functions.start();
  const close = async () => {
    await functions.stop();
    clock.stop();
    storage.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { clock, storage, folder, functions, logged, close };
}

export function aResource(type: string, logicalId: string, properties: Record<string, unknown>): Resource {
  const definition = resourceTypes[type]!;
  return {
    logicalId,
    type,
    properties,
    physicalId: definition.ref(logicalId, properties, environment),
    attributes: definition.attributes?.(logicalId, properties, environment) ?? {},
    metadata: {},
  };
}

/** A function whose code is the body of `exports.handler`'s module. */
export function aFunction(logicalId: string, code: string, properties: Record<string, unknown> = {}): Resource {
  return aResource('AWS::Lambda::Function', logicalId, {
    Code: { ZipFile: code },
    Handler: 'index.handler',
    Runtime: 'nodejs22.x',
    Role: `arn:aws:iam::123456789012:role/${logicalId}-role`,
    Timeout: 10,
    ...properties,
  });
}
