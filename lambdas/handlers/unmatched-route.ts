import { operations } from '../../contract/routes.ts';
import { clock } from '../platform/clock.ts';
import { deployedOrigins } from '../platform/http/deployed-origins.ts';
import { unmatched } from '../platform/http/unmatched.ts';
import { log } from '../platform/log.ts';

export const handler = unmatched(operations, { clock, log, origins: deployedOrigins() });
