import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { rateLimitView } from './rate-limits.ts';
import { role } from './roles.ts';

export const callerKinds = ['user', 'client'] as const;

export type CallerKind = (typeof callerKinds)[number];

const profile = z
  .strictObject({
    id: z.string().meta({ description: 'Subject of the token.' }),
    email: z.string().meta({ format: 'email', description: 'Email address shown on records written by the caller.' }),
    kind: z.enum(callerKinds).meta({ description: '`user`: a person. `client`: a program with its own credentials.' }),
    roles: z.array(role).meta({ description: 'Roles granted by the token.' }),
    rate_limits: z.array(rateLimitView).meta({
      description:
        "Rate limits of the caller. An owner and the owner's API keys share the `ai_` limits; each has its own general limit.",
    }),
  })
  .meta({ id: 'Profile', description: 'Profile of the caller.' });

export const identityOperations = defineOperations({
  getMe: {
    method: 'GET',
    path: '/me',
    capability: 'identity',
    summary: 'Get the caller',
    description: 'Returns the identity, roles and rate limits of the caller.',
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
