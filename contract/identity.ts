import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { rateLimitView } from './rate-limits.ts';
import { role } from './roles.ts';

export const callerKinds = ['user', 'client'] as const;

export type CallerKind = (typeof callerKinds)[number];

const profile = z
  .strictObject({
    id: z.string().meta({ description: 'The subject of the token.' }),
    email: z.string().meta({ format: 'email', description: 'The address that records written by this caller carry.' }),
    kind: z.enum(callerKinds).meta({ description: 'A person, or a program with its own credentials.' }),
    roles: z.array(role).meta({ description: 'The roles this token grants.' }),
    rate_limits: z.array(rateLimitView).meta({
      description:
        "The limits that apply to this caller. An owner and all of the owner's API keys share the `ai_` limits; the " +
        'general one belongs to each of them.',
    }),
  })
  .meta({ id: 'Profile', description: 'Who the caller is and what it may do.' });

export const identityOperations = defineOperations({
  getMe: {
    method: 'GET',
    path: '/me',
    capability: 'identity',
    summary: 'Show the caller',
    description: 'Tells who the token belongs to, which roles it grants and which rate limits apply.',
    access: 'viewer',
    rateLimit: 'general',
    responses: {
      200: {
        description: 'The caller.',
        body: profile,
        example: {
          id: '5ksk3oqvr0u6fh8ptrn1a2b3c4',
          email: 'agent@clients.incidents.example.com',
          kind: 'client',
          roles: ['itsm_agent'],
          rate_limits: [{ class: 'general', limit: 100, window_seconds: 1 }],
        },
      },
    },
  },
});
