import type { UnmappedPeople } from '../../contract/single-sign-on.ts';
import { cognitoClient } from '../platform/clients/cognito.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { createEventStore } from '../records/wiring.ts';
import { type FederationEvent, federateSignIns as federate } from './federate-sign-ins.ts';
import { createFederationDirectory } from './federation-directory.ts';
import { createProviderSessionStore } from './provider-session-store.ts';
import { createUserInfoClient } from './user-info.ts';

export const federateSignIns = () => {
  const variables = env('USER_POOL_ID', 'OIDC_ISSUER', 'ROLE_MAPPING', 'SSO_NAME', 'UNMAPPED_PEOPLE');
  const auditStore = createEventStore();
  const tools = {
    directory: createFederationDirectory(cognitoClient(), variables.USER_POOL_ID),
    sessions: createProviderSessionStore(auditStore, createSecretBox()),
    askProvider: createUserInfoClient(variables.OIDC_ISSUER),
    settings: {
      name: variables.SSO_NAME,
      roleMapping: JSON.parse(variables.ROLE_MAPPING),
      unmappedPeople: variables.UNMAPPED_PEOPLE as UnmappedPeople,
    },
    auditStore,
    clock,
    log,
  };
  return (event: FederationEvent) => federate(event, tools);
};
