import { operations } from '../../contract/routes.ts';
import { clock } from './clock.ts';
import { loadOriginRule } from './http/response.ts';
import { unmatched } from './http/unmatched.ts';
import { log } from './log.ts';

export const unmatchedRoute = () => unmatched(operations, { clock, log, origins: loadOriginRule() });
