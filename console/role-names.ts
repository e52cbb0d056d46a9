import type { Role } from '../contract/roles.ts';

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  itsm_agent: 'Agent',
  itsm_manager: 'Manager',
  super_admin: 'Super admin',
};
