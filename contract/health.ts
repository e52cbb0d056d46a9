import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { flag } from './records.ts';

const health = z
  .strictObject({
    status: z.literal('ok'),
    version: z.string().meta({ description: 'Service version.' }),
    service_instance: z.string().meta({ description: 'Name of this service instance, as in webhook payloads.' }),
    time: z.iso.datetime().meta({ description: 'Server time (UTC).' }),
    search: z
      .strictObject({
        engine: z.enum(['memory', 'opensearch']),
        lag_seconds: z
          .int()
          .min(0)
          .nullable()
          .meta({ description: 'Age of the oldest change that the list of incidents lacks; null if it is unknown.' }),
        problem: z.string().optional().meta({ description: 'Why the search engine cannot be used.' }),
      })
      .optional()
      .meta({ description: 'How far lists are behind the table. Present with `search=true`.' }),
  })
  .meta({ id: 'Health', description: 'Health of the service.' });

const apiDocument = z
  .looseObject({
    openapi: z.string().meta({ description: 'Version of the OpenAPI specification.' }),
    info: z
      .looseObject({ title: z.string(), version: z.string() })
      .meta({ description: 'Name and version of the API.' }),
    servers: z.array(z.looseObject({ url: z.string() })).meta({ description: 'URL of this instance.' }),
  })
  .meta({ id: 'ApiDocument', description: 'OpenAPI document.' });

export const healthOperations = defineOperations({
  getHealth: {
    method: 'GET',
    path: '/health',
    capability: 'health',
    summary: 'Check the health of the service',
    description: 'Reads from the database and returns 503 if that fails. Requires a token but no role.',
    access: 'none',
    rateLimit: 'general',
    query: z.strictObject({ search: flag('Also measure how far lists are behind the table.') }),
    responses: {
      200: {
        description: 'The service is healthy.',
        body: health,
        example: { status: 'ok', version: '0.1.0', service_instance: 'local', time: '2026-03-01T09:30:00.000Z' },
      },
    },
  },
  getApiDocument: {
    method: 'GET',
    path: '/openapi.json',
    capability: 'health',
    summary: 'Get the API document',
    description: 'Returns the OpenAPI 3.1 document of this instance. Clients may cache it for one hour.',
    access: 'public',
    rateLimit: 'general',
    responses: {
      200: {
        description: 'The OpenAPI document.',
        body: apiDocument,
        example: {
          openapi: '3.1.1',
          info: { title: 'Incident management service', version: '0.1.0' },
          servers: [{ url: 'https://incidents.example.com/prod/api/v1' }],
        },
      },
    },
  },
});
