import { auditOperations } from '../../contract/audit.ts';
import { createDirectory } from '../identity/directory.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { route } from '../platform/http/route.ts';
import { log } from '../platform/log.ts';
import { createCursorSeal, createEventStore } from '../records/wiring.ts';
import { listAudit as listAuditUseCase } from './audit-log.ts';
import {
  type ApiCall,
  recordDirectoryChange,
  recordSignIns as recordSignIn,
  type SignInEvent,
} from './directory-audit.ts';

export const listAudit = () =>
  route(auditOperations.listAudit, listAuditUseCase(createEventStore(), createCursorSeal()));

export const recordSignIns = () => {
  const tools = { store: createEventStore(), clock, log };
  return (event: SignInEvent) => recordSignIn(event, tools);
};

export const recordDirectoryChanges = () => {
  const { USER_POOL_ID, API_KEY_ROLES } = env('USER_POOL_ID', 'API_KEY_ROLES');
  const directory = createDirectory(cognitoClient(), USER_POOL_ID);
  const tools = { store: createEventStore(), directory, apiKeyRoles: API_KEY_ROLES.split(',') };
  return (call: ApiCall) => recordDirectoryChange(call, tools);
};
