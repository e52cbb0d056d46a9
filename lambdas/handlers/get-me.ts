import { identityOperations } from '../../contract/identity.ts';
import { getMe } from '../identity/get-me.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(identityOperations.getMe, getMe);
