import { SQSClient } from '@aws-sdk/client-sqs';
import { bounded, shared } from './bounded.ts';

export const sqsClient = shared(() => new SQSClient(bounded));
