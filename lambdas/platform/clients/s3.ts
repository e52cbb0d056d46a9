import { S3Client } from '@aws-sdk/client-s3';
import { bounded, shared } from './shared-client.ts';

/** Objects are large, so each gets more time; what is stored carries its own digests. */
export const s3Client = shared(
  () =>
    new S3Client({
      ...bounded,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 15_000, throwOnRequestTimeout: true },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // Asking first would cost a round trip for every object and save nothing: S3 does not refuse ours.
      expectContinueHeader: false,
    }),
);
