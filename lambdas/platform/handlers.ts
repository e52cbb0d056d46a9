import { operations } from '../../contract/routes.ts';
import { clock } from './clock.ts';
import { loadOriginRule } from './http/response.ts';
import { handleUnmatched } from './http/unmatched.ts';
import { log } from './log.ts';

export const unmatchedRoute = () => handleUnmatched(operations, { clock, log, origins: loadOriginRule() });
