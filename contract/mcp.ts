import * as z from 'zod';
import { defineOperations } from './operation.ts';

// The Model Context Protocol over streamable HTTP: one JSON-RPC message per request, without sessions.

const message = z
  .strictObject({
    jsonrpc: z.literal('2.0'),
    id: z
      .union([z.string().max(200), z.int()])
      .optional()
      .meta({ description: 'Absent in a notification.' }),
    method: z
      .string()
      .max(200)
      .optional()
      .meta({ examples: ['tools/call'] }),
    params: z.looseObject({}).optional(),
    result: z.looseObject({}).optional(),
    error: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage', description: 'JSON-RPC message of the Model Context Protocol.' });

export const mcpOperations = defineOperations({
  callMcp: {
    method: 'POST',
    path: '/mcp',
    capability: 'mcp',
    summary: 'Send a message of the Model Context Protocol',
    description:
      'Serves agents over the streamable HTTP transport, without sessions: one message per request, and JSON in the response. ' +
      'Tools call this API with the token of the request, so roles and rate limits apply to each call.',
    access: 'viewer',
    rateLimit: 'general',
    query: z.strictObject({
      mode: z
        .enum(['read', 'propose', 'write'])
        .default('read')
        .meta({
          description:
            'Tools to offer besides those that read: `propose` adds tools that propose changes, which a person approves; `write` adds ' +
            'tools that change records.',
        }),
    }),
    headers: z.object({
      'MCP-Protocol-Version': z
        .string()
        .max(50)
        .optional()
        .meta({ description: 'Version that was agreed on during the initialization.', examples: ['2025-06-18'] }),
    }),
    body: message,
    bodyExample: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_incidents', arguments: { state: ['new'], limit: 5 } },
    },
    responses: {
      200: {
        description: 'The response to a request.',
        body: z.looseObject({ jsonrpc: z.literal('2.0') }).meta({
          id: 'McpResponse',
          description: 'JSON-RPC response with `result` or `error`.',
        }),
        example: {
          jsonrpc: '2.0',
          id: 1,
          result: {
            content: [{ type: 'text', text: '{"incidents":[],"total":0}' }],
            structuredContent: { incidents: [], total: 0 },
          },
        },
      },
      202: { description: 'A notification was accepted.' },
    },
  },
});
