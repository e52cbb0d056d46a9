// Answers one question, as AWS does: does the calling role's policy allow this action on this resource? An explicit
// Deny wins, a permissions boundary must agree, and what nothing allows is refused with the statement that is missing.
import { AwsError } from '../aws/error.ts';
import type { Access, Caller } from '../aws/service.ts';
import type { Log } from '../log.ts';
import type { Resource, ResourceTypes, StackEnvironment } from '../template/resource-type.ts';
import type { Lookup } from './pattern.ts';
import type { Statement } from './policy.ts';
import { resourceTypes } from './resource-types.ts';
import { type Role, readRoles } from './role.ts';

export interface Iam {
  /** Reads roles and policies; throws with the list of everything it cannot honour. */
  load(resources: readonly Resource[]): void;
  /** Throws AccessDeniedException unless the caller's role allows every access. */
  authorize(caller: Caller, accesses: readonly Access[]): void;
  /** Whether the role's trust policy lets this service (lambda.amazonaws.com, …) take the role. */
  mayAssume(roleArn: string, servicePrincipal: string, context?: Access['context']): boolean;
  readonly resourceTypes: ResourceTypes;
}

type Verdict = 'allowed' | 'denied' | 'not allowed';

const decisionLimit = 20_000;

export function createIam(options: { environment: StackEnvironment; log: Log }): Iam {
  const { environment, log } = options;
  let roles = new Map<string, Role>();
  const decisions = new Map<Role, Map<string, Map<string, Verdict>>>();
  let kept = 0;

  const verdictsOf = (role: Role, action: string): Map<string, Verdict> => {
    const ofRole = decisions.get(role) ?? new Map<string, Map<string, Verdict>>();
    const ofAction = ofRole.get(action) ?? new Map<string, Verdict>();
    decisions.set(role, ofRole.set(action, ofAction));
    return ofAction;
  };

  const decide = (role: Role, caller: Caller, access: Access): Verdict => {
    const known = decisions.get(role)?.get(access.action)?.get(access.resource);
    if (known) return known;
    const lookup = requestKeys(environment, role, caller, access);
    const own = evaluate(role.statements, access, lookup);
    const bounded = role.boundary ? evaluate(role.boundary, access, lookup) : undefined;
    const verdict = bounded && own.verdict === 'allowed' ? bounded.verdict : own.verdict;
    if (own.cacheable && bounded?.cacheable !== false) {
      if (kept++ >= decisionLimit) {
        decisions.clear();
        kept = 0;
      }
      verdictsOf(role, access.action).set(access.resource, verdict);
    }
    return verdict;
  };

  return {
    resourceTypes,
    load(resources) {
      roles = readRoles(resources);
      decisions.clear();
    },
    authorize(caller, accesses) {
      if (caller.roleArn === undefined) return;
      const role = roles.get(caller.roleArn);
      if (!role) {
        log.error('a caller has a role that the template does not declare', {
          role: caller.roleArn,
          name: caller.name,
        });
        throw new AwsError('UnrecognizedClientException', 'The security token included in the request is invalid.');
      }
      for (const access of accesses) {
        const verdict = decide(role, caller, access);
        if (verdict !== 'allowed') throw refusal(environment, log, role, caller, access, verdict);
      }
    },
    mayAssume(roleArn, servicePrincipal, context = {}) {
      const trust = roles.get(roleArn)?.trust ?? [];
      const lookup = contextKeys(environment, context);
      const applies = trust.filter(
        ({ services, coversAction, holds }) =>
          (services.has('*') || services.has(servicePrincipal)) && coversAction('sts:AssumeRole') && holds(lookup),
      );
      return applies.length > 0 && applies.every(({ effect }) => effect === 'Allow');
    },
  };
}

/** The verdict of one list of statements, and whether it holds for every request with this action and resource. */
function evaluate(
  statements: readonly Statement[],
  { action, resource }: Access,
  lookup: Lookup,
): { verdict: Verdict; cacheable: boolean } {
  let allowed = false;
  let denied = false;
  let cacheable = true;
  for (const statement of statements) {
    if (!statement.coversAction(action)) continue;
    if (statement.conditional) cacheable = false;
    if (!statement.coversResource(resource, lookup) || !statement.holds(lookup)) continue;
    if (statement.effect === 'Deny') denied = true;
    else allowed = true;
  }
  return { verdict: denied ? 'denied' : allowed ? 'allowed' : 'not allowed', cacheable };
}

function refusal(
  environment: StackEnvironment,
  log: Log,
  role: Role,
  caller: Caller,
  access: Access,
  verdict: Verdict,
): AwsError {
  const { action, resource } = access;
  const reason =
    verdict === 'denied'
      ? 'with an explicit deny in an identity-based policy'
      : `because no identity-based policy allows the ${action} action`;
  const identity = `arn:aws:sts::${environment.accountId}:assumed-role/${role.name}/${caller.name}`;
  const message = `User: ${identity} is not authorized to perform: ${action} on resource: ${resource} ${reason}`;
  const missing = JSON.stringify({ Effect: 'Allow', Action: action, Resource: resource });
  log.warn('access denied', {
    caller: caller.name,
    role: role.name,
    action,
    resource,
    reason,
    ...(access.context ? { context: access.context } : {}),
    ...(verdict === 'denied' ? {} : { missing_statement: missing }),
  });
  return new AwsError('AccessDeniedException', message, { status: 400 });
}

/** Condition keys of a request: the service's own, then the global ones. Names are compared without case. */
function requestKeys(environment: StackEnvironment, role: Role, caller: Caller, access: Access): Lookup {
  const service = contextKeys(environment, access.context ?? {});
  return (key) => {
    switch (key.toLowerCase()) {
      case 'aws:principalarn':
        return [role.arn];
      case 'aws:principalaccount':
        return [environment.accountId];
      case 'aws:principaltype':
        return ['AssumedRole'];
      case 'aws:userid':
        return [`${role.id}:${caller.name}`];
      case 'aws:resourceaccount':
        return [access.resource.split(':')[4] || environment.accountId];
      default:
        return service(key);
    }
  };
}

function contextKeys(environment: StackEnvironment, context: NonNullable<Access['context']>): Lookup {
  const given = new Map(
    Object.entries(context).map(([key, value]) => [key.toLowerCase(), typeof value === 'string' ? [value] : value]),
  );
  return (key) => {
    const name = key.toLowerCase();
    const value = given.get(name);
    if (value) return value;
    switch (name) {
      case 'aws:sourceaccount':
        return [environment.accountId];
      case 'aws:requestedregion':
        return [environment.region];
      case 'aws:securetransport':
        return ['true'];
      case 'aws:currenttime':
        return [new Date().toISOString()];
      case 'aws:epochtime':
        return [String(Math.floor(Date.now() / 1000))];
      default:
        return undefined;
    }
  };
}
