import { S3Client } from '@aws-sdk/client-s3';
import { clientDefaults, createSharedClient } from './shared-client.ts';

/** Objects are large, so requests have a longer timeout. Stored objects contain their own digests. */
export const s3Client = createSharedClient(
  () =>
    new S3Client({
      ...clientDefaults,
      requestHandler: { connectionTimeout: 1_000, requestTimeout: 15_000, throwOnRequestTimeout: true },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // `Expect: 100-continue` costs a round trip per object, and S3 does not reject our requests.
      expectContinueHeader: false,
    }),
);
