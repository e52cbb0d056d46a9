import type { DemoClient, DemoUser, demoRoles } from '../../demo/users.ts';

/** What `<data folder>/credentials.json` holds. */
export interface Credentials {
  base_url: string;
  auth_url: string;
  aws_endpoint_url: string;
  aws_access_key_id: string;
  aws_secret_access_key: string;
  clients: Record<keyof typeof demoRoles, DemoClient>;
  users: DemoUser[];
}
