import { SQSClient } from '@aws-sdk/client-sqs';
import { bounded, shared } from './shared-client.ts';

export const sqsClient = shared(() => new SQSClient(bounded));
