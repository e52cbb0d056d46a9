import { deployedKeys } from '../identity/deployed-keys.ts';
import { sweepApiKeys } from '../identity/sweep-api-keys.ts';
import { clock } from '../platform/clock.ts';
import { log } from '../platform/log.ts';

const tools = deployedKeys();

export const handler = () => sweepApiKeys({ ...tools, clock, log });
