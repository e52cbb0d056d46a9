import { SFNClient } from '@aws-sdk/client-sfn';
import { bounded, shared } from './bounded.ts';

export const sfnClient = shared(() => new SFNClient(bounded));
