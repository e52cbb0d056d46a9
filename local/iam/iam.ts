// Decides, as AWS does, whether the policies of the calling role allow an action on a resource. An explicit Deny wins. The
// log entry of a rejected call shows the missing statement.
import { AwsError } from '../aws/error.ts';
import type { Access, Caller } from '../aws/service.ts';
import type { Log } from '../log.ts';
import type { Resource, StackEnvironment } from '../template/resource-type.ts';
import { createAccessRecord } from './access-record.ts';
import type { Lookup } from './pattern.ts';
import type { Statement } from './policy.ts';
import { type Role, readRoles } from './roles.ts';

export interface Iam {
  /** Reads roles and policies; throws an error that lists all unsupported features. */
  load(resources: readonly Resource[]): void;
  /** Throws AccessDeniedException unless the caller's role allows every access. */
  authorize(caller: Caller, accesses: readonly Access[]): void;
  /** Whether the role's trust policy lets this service, such as lambda.amazonaws.com, assume the role. */
  mayAssume(roleArn: string, servicePrincipal: string, context?: Access['context']): boolean;
}

type Decision = 'allowed' | 'denied' | 'not allowed';

const maxCachedDecisions = 20_000;

export function createIam(options: { environment: StackEnvironment; log: Log }): Iam {
  const { environment, log } = options;
  const recordAccess = createAccessRecord();
  let roles = new Map<string, Role>();
  const decisions = new Map<Role, Map<string, Map<string, Decision>>>();
  let cachedDecisions = 0;

  const cache = (role: Role, { action, resource }: Access, decision: Decision) => {
    if (cachedDecisions++ >= maxCachedDecisions) {
      decisions.clear();
      cachedDecisions = 0;
    }
    const byAction = decisions.get(role) ?? new Map<string, Map<string, Decision>>();
    const byResource = byAction.get(action) ?? new Map<string, Decision>();
    decisions.set(role, byAction.set(action, byResource.set(resource, decision)));
  };

  const decide = (role: Role, access: Access): Decision => {
    const cached = decisions.get(role)?.get(access.action)?.get(access.resource);
    if (cached) return cached;
    const { decision, isCacheable } = evaluate(role.statements, access, toLookup(environment, access.context, role));
    if (isCacheable) cache(role, access, decision);
    return decision;
  };

  return {
    load(resources) {
      roles = readRoles(resources);
      decisions.clear();
    },
    authorize(caller, accesses) {
      if (caller.roleArn === undefined) return;
      const role = roles.get(caller.roleArn);
      if (!role) {
        log.error('The template does not declare the role of a caller', { role: caller.roleArn, name: caller.name });
        throw new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
      }
      for (const access of accesses) {
        const decision = decide(role, access);
        if (decision !== 'allowed') throw toAccessDenied(environment, log, role, caller, access, decision);
        recordAccess?.(role.logicalId, access.action);
      }
    },
    mayAssume(roleArn, servicePrincipal, context) {
      const lookup = toLookup(environment, context);
      const matching = (roles.get(roleArn)?.trust ?? []).filter(
        ({ servicePrincipals, matchesCondition }) =>
          servicePrincipals.has(servicePrincipal) && matchesCondition(lookup),
      );
      return matching.length > 0 && matching.every(({ effect }) => effect === 'Allow');
    },
  };
}

/** A decision is cacheable when it holds for every request with this action and resource. */
function evaluate(
  statements: readonly Statement[],
  { action, resource }: Access,
  lookup: Lookup,
): { decision: Decision; isCacheable: boolean } {
  let decision: Decision = 'not allowed';
  let isCacheable = true;
  for (const statement of statements) {
    if (!statement.matchesAction(action)) continue;
    if (statement.isConditional) isCacheable = false;
    if (!statement.matchesResource(resource) || !statement.matchesCondition(lookup)) continue;
    if (statement.effect === 'Deny') decision = 'denied';
    else if (decision !== 'denied') decision = 'allowed';
  }
  return { decision, isCacheable };
}

function toAccessDenied(
  { accountId }: StackEnvironment,
  log: Log,
  role: Role,
  caller: Caller,
  { action, resource, context }: Access,
  decision: Decision,
): AwsError {
  const isExplicit = decision === 'denied';
  const reason = isExplicit
    ? 'with an explicit deny in an identity-based policy'
    : `because no identity-based policy allows the ${action} action`;
  log.warn('access denied', {
    caller: caller.name,
    role: role.name,
    action,
    resource,
    reason,
    ...(context ? { context } : {}),
    ...(isExplicit
      ? {}
      : { missing_statement: JSON.stringify({ Effect: 'Allow', Action: action, Resource: resource }) }),
  });
  const identity = `arn:aws:sts::${accountId}:assumed-role/${role.name}/${caller.name}`;
  const message = `User: ${identity} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
  return new AwsError('AccessDeniedException', message, { status: 400 });
}

/** Looks up condition keys, ignoring case: the service's own first, then the global ones. */
function toLookup({ accountId, region }: StackEnvironment, context: Access['context'] = {}, role?: Role): Lookup {
  const values = new Map<string, readonly string[]>([
    ['aws:requestedregion', [region]],
    ['aws:securetransport', ['true']],
    ['aws:sourceaccount', [accountId]],
  ]);
  if (role) values.set('aws:principalarn', [role.arn]).set('aws:principalaccount', [accountId]);
  for (const [key, value] of Object.entries(context)) values.set(key.toLowerCase(), [value].flat());
  return (key) => values.get(key.toLowerCase());
}
