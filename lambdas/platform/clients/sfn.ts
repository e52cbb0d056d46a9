import { SFNClient } from '@aws-sdk/client-sfn';
import { clientDefaults, createSharedClient } from './shared-client.ts';

export const sfnClient = createSharedClient(() => new SFNClient(clientDefaults));
