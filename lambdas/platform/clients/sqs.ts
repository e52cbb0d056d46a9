import { SQSClient } from '@aws-sdk/client-sqs';
import { clientDefaults, createSharedClient } from './shared-client.ts';

export const sqsClient = createSharedClient(() => new SQSClient(clientDefaults));
