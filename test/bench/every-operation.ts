// Requests every operation of the contract in turn. Ids are unknown and bodies are empty: the bench only needs each
// operation's function to run.
import { readFileSync } from 'node:fs';
import { operations } from '../../contract/routes.ts';
import type { Service } from '../support/service.ts';
import type { Shot } from './load.ts';

export const operationCount = operations.length;

export function requestOperation(service: Service, index: number, token: string): Shot {
  const { method, path } = operations[index % operations.length]!;
  return {
    url: `${service.baseUrl}/prod/api/v1${path.replaceAll(/\{[^}]+\}/g, 'none')}`,
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: '{}' }),
  };
}

/** Resident memory of the server with all its workers. */
export function measureResidentMb({ process: { pid } }: Service): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}

/** CPU time of the server with all its threads. Other programs affect it less than wall time. */
export function measureCpuMs({ process: { pid } }: Service): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [userTicks, systemTicks] = fields.slice(11, 13).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) * msPerTick;
}

/** Linux counts in hundredths of a second. */
const msPerTick = 10;
