import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { routes } from '../../contract/routes.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { ServiceError } from '../platform/service-error.ts';

export interface Release {
  version: string;
  serviceInstance: string;
}

export interface SearchHealth {
  engine: 'memory' | 'opensearch';
  lag_seconds: number | null;
  problem?: string;
}

export function getHealth(
  probe: StorageProbe,
  release: Release,
  measureSearch: (nowMs: number) => Promise<SearchHealth>,
): UseCase<typeof routes.getHealth> {
  return async ({ query }, { clock }) => {
    await probe().catch((cause: unknown) => {
      throw new ServiceError('unavailable', 'The database is unavailable.', { cause });
    });
    return {
      status: 200,
      body: {
        status: 'ok',
        version: release.version,
        service_instance: release.serviceInstance,
        time: toIso(clock.now()),
        ...(query.search && { search: await measureSearch(clock.now()) }),
      },
    };
  };
}

/** Reads the records table with the cheapest possible call; rejects when the table is unavailable. */
export type StorageProbe = () => Promise<void>;

export function createStorageProbe(client: DynamoDBClient, table: string): StorageProbe {
  return async () => {
    await client.send(new GetItemCommand({ TableName: table, Key: { pk: { S: 'health' }, sk: { S: '#' } } }));
  };
}
