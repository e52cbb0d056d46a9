import type { routes } from '../contract/routes.ts';
import type { OperationTable } from './call-types.ts';

// Generated from the contract by bin/generate-client.ts.

export const apiRoot = '/prod/api/v1';

export const operationTable = {
  getHealth: { method: 'GET', path: '/health' },
  getMe: { method: 'GET', path: '/me' },
} as const satisfies OperationTable<typeof routes>;
