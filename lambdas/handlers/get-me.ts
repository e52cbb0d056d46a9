import { routes } from '../../contract/routes.ts';
import { getMe } from '../identity/get-me.ts';
import { route } from '../platform/http/route.ts';

export const handler = route(routes.getMe, getMe);
