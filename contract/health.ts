import * as z from 'zod';
import { defineOperations } from './operation.ts';

const health = z
  .strictObject({
    status: z.literal('ok'),
    version: z.string().meta({ description: 'Service version.' }),
    service_instance: z.string().meta({ description: 'Name of this service instance, as in webhook payloads.' }),
    time: z.iso.datetime().meta({ description: 'Server time (UTC).' }),
  })
  .meta({ id: 'Health', description: 'Health of the service.' });

export const healthOperations = defineOperations({
  getHealth: {
    method: 'GET',
    path: '/health',
    capability: 'health',
    summary: 'Check the health of the service',
    description: 'Reads from the database and returns 503 if that fails. Requires a token but no role.',
    access: 'none',
    rateLimit: 'general',
    responses: {
      200: {
        description: 'The service is healthy.',
        body: health,
        example: { status: 'ok', version: '0.1.0', service_instance: 'local', time: '2026-03-01T09:30:00.000Z' },
      },
    },
  },
});
