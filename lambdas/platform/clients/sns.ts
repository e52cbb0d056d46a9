import { SNSClient } from '@aws-sdk/client-sns';
import { bounded, shared } from './bounded.ts';

export const snsClient = shared(() => new SNSClient(bounded));
