import { cognitoClient } from '../platform/clients/cognito.ts';
import { clock } from '../platform/clock.ts';
import { env } from '../platform/env.ts';
import { errorFields, log } from '../platform/log.ts';
import { memoize } from '../platform/memoize.ts';
import { createRecordStore } from '../records/wiring.ts';
import { createDirectory } from './directory.ts';
import { isGroupNameUsed } from './group-names.ts';
import { createPeopleDirectory } from './people-directory.ts';

// Warns about names that the directory does not know (docs/decisions/0062-people-and-groups.md). A warning never
// rejects a request: a failing directory gives no warnings.

export interface KnownNames {
  isPersonKnown(email: string): Promise<boolean>;
  isGroupKnown(name: string): Promise<boolean>;
}

interface NamedFields {
  assigned_to?: string | null | undefined;
  assignment_group?: string | null | undefined;
}

interface Responded {
  headers?: Readonly<Record<string, string>>;
}

/** Adds the header `X-Warnings` to the response of a use case; both run in parallel. */
export function withNameWarnings<Input extends { body: NamedFields }, Context, Response extends Responded>(
  useCase: (input: Input, context: Context) => Promise<Response>,
  names: KnownNames,
): (input: Input, context: Context) => Promise<Response> {
  return async (input, context) => {
    const [response, warnings] = await Promise.all([
      useCase(input, context),
      findWarnings(input.body, names).catch((error: unknown) => {
        log('warn', 'the directory is not available', errorFields(error));
        return [];
      }),
    ]);
    if (warnings.length === 0) return response;
    return { ...response, headers: { ...response.headers, 'X-Warnings': JSON.stringify(warnings) } };
  };
}

async function findWarnings({ assigned_to, assignment_group }: NamedFields, names: KnownNames) {
  const [isPerson, isGroup] = await Promise.all([
    assigned_to ? names.isPersonKnown(assigned_to) : true,
    assignment_group ? names.isGroupKnown(assignment_group) : true,
  ]);
  const unknown = [...(isPerson ? [] : ['assigned_to']), ...(isGroup ? [] : ['assignment_group'])];
  return unknown.map((field) => ({ field, message: 'is not in the directory' }));
}

const cacheMs = 60_000;

export function createKnownNames(): KnownNames {
  const { USER_POOL_ID, SERVICE_DOMAIN } = env('USER_POOL_ID', 'SERVICE_DOMAIN');
  const { findEmail } = createDirectory(cognitoClient(), USER_POOL_ID);
  const { listPoolGroups } = createPeopleDirectory(cognitoClient(), USER_POOL_ID);
  const store = createRecordStore();
  const isGroupKnown = async (name: string) =>
    (await isGroupNameUsed(store, name, clock.now())) || (await listPoolGroups()).includes(name);
  return {
    isPersonKnown: memoize(
      async (email) => email.endsWith(`@clients.${SERVICE_DOMAIN}`) || (await findEmail(email)) !== undefined,
      cacheMs,
    ),
    isGroupKnown: memoize(isGroupKnown, cacheMs),
  };
}
