import * as z from 'zod';

// Each role may do all that the roles before it may do, so the order of this list is the whole permission model.
export const roles = ['viewer', 'itsm_agent', 'itsm_manager', 'super_admin'] as const;

export type Role = (typeof roles)[number];

export const roleDescriptions: Readonly<Record<Role, string>> = {
  viewer: 'Reads records and uses AI assistance.',
  itsm_agent: 'Also creates and changes records and notes.',
  itsm_manager: 'Also deletes, approves, and manages webhooks, knowledge and bulk CI operations.',
  super_admin: 'Also manages any service account and reads the audit log.',
};

export const role = z.enum(roles).meta({ id: 'Role', description: 'What a caller may do, least first.' });

/** The resource server whose scopes carry the roles of app clients: `itsm/viewer` and so on. */
export const scopePrefix = 'itsm';

export function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}

export function hasRole(held: readonly Role[], minimum: Role): boolean {
  return held.some((one) => roles.indexOf(one) >= roles.indexOf(minimum));
}

/** What is left of some roles where nothing may be above others: at most the highest of those. */
export function rolesWithin(held: readonly Role[], bounds: readonly Role[]): Role[] {
  const common = roles.filter((role) => hasRole(held, role) && hasRole(bounds, role));
  return common.slice(-1);
}
