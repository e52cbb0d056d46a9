import { KMSClient } from '@aws-sdk/client-kms';
import { bounded, shared } from './bounded.ts';

export const kmsClient = shared(() => new KMSClient(bounded));
