import { join } from 'node:path';
import { s3Client } from '../platform/clients/s3.ts';
import { handleCustomResource } from '../platform/custom-resource.ts';
import { env } from '../platform/env.ts';
import { log } from '../platform/log.ts';
import { createConsoleStore } from './console-store.ts';
import { createPublisher } from './publish-console.ts';

export const publishConsole = () => {
  const { CONSOLE_BUCKET, LAMBDA_TASK_ROOT } = env('CONSOLE_BUCKET', 'LAMBDA_TASK_ROOT');
  const publisher = createPublisher(join(LAMBDA_TASK_ROOT, 'console'), createConsoleStore(s3Client(), CONSOLE_BUCKET));
  return handleCustomResource({ physicalId: `${CONSOLE_BUCKET}/console`, ...publisher, log });
};
