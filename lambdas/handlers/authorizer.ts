import { authorizer } from '../identity/authorizer.ts';
import { deployedIdentification } from '../identity/deployed-identification.ts';
import { log } from '../platform/log.ts';

export const handler = authorizer(deployedIdentification(), log);
