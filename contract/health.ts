import * as z from 'zod';
import { defineOperations } from './operation.ts';

const health = z
  .strictObject({
    status: z.literal('ok'),
    version: z.string().meta({ description: 'The version of the service that answered.' }),
    service_instance: z.string().meta({ description: 'The name of this instance, as in webhook payloads.' }),
    time: z.iso.datetime().meta({ description: 'The time of the server (UTC).' }),
  })
  .meta({ id: 'Health', description: 'The service answers and its storage can be read.' });

export const healthOperations = defineOperations({
  getHealth: {
    method: 'GET',
    path: '/health',
    capability: 'health',
    summary: 'Check that the service works',
    description: 'Reads the storage, so it answers 503 when the storage is down. Needs a token, but no role.',
    access: 'none',
    rateLimit: 'general',
    responses: {
      200: {
        description: 'The service works.',
        body: health,
        example: { status: 'ok', version: '0.1.0', service_instance: 'local', time: '2026-03-01T09:30:00.000Z' },
      },
    },
  },
});
