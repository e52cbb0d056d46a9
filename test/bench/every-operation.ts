// A request for every operation of the contract, in turn. Ids are those of no record and bodies are empty: what counts is
// that each operation's function is called.
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

/** Of the server, with all its workers. */
export function residentMb({ process: { pid } }: Service): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024);
}
