// Free of zod, so that the browser can import them. Each role includes the permissions of the roles before it.
export const roles = ['viewer', 'itsm_agent', 'itsm_manager', 'super_admin'] as const;

export type Role = (typeof roles)[number];

export const roleDescriptions: Readonly<Record<Role, string>> = {
  viewer: 'Read records and use AI assistance.',
  itsm_agent: 'Also create and update records and notes.',
  itsm_manager: 'Also delete and approve records, and manage webhooks, knowledge articles and bulk CI operations.',
  super_admin: 'Also manage all API keys and read the audit log.',
};

/** OAuth resource server; the scope `itsm/viewer` grants the role `viewer`. */
export const scopePrefix = 'itsm';

export function isRole(name: string): name is Role {
  return (roles as readonly string[]).includes(name);
}

export function hasRole(held: readonly Role[], minimum: Role): boolean {
  return held.some((one) => roles.indexOf(one) >= roles.indexOf(minimum));
}

/** The highest role that both lists grant, as a list of at most one. */
export function limitRoles(held: readonly Role[], bounds: readonly Role[]): Role[] {
  const common = roles.filter((role) => hasRole(held, role) && hasRole(bounds, role));
  return common.slice(-1);
}
