import type { Change } from '../contract/changes.ts';
import type { Group } from './organization.ts';

// Templates for recurring changes and service requests. `{site}` is replaced.

export interface ChangeTemplate {
  title: string;
  description: string;
  group: Group;
  type: Change['type'];
  risk: Change['risk'];
  hours: number;
  /** Names of configuration items. */
  cis: readonly string[];
}

export const changeTemplates: readonly ChangeTemplate[] = [
  {
    title: 'Update the VPN gateway in {site}',
    description:
      'Install this month’s release on the standby node, fail over, then update the other node.\n\nRollback: fail back.',
    group: 'network',
    type: 'standard',
    risk: 'medium',
    hours: 2,
    cis: ['vpn-gateway-1', 'vpn-gateway-2'],
  },
  {
    title: 'Replace the core switch in {site}',
    description:
      'The old switch is no longer supported. Desks are offline for **20 minutes** while we move the cables.',
    group: 'network',
    type: 'normal',
    risk: 'high',
    hours: 4,
    cis: ['access-switch-1'],
  },
  {
    title: 'Renew the certificate of the mail gateway',
    description:
      'Install the new certificate, restart the gateway and send a test message. Rollback: restore the old file.',
    group: 'messaging',
    type: 'standard',
    risk: 'low',
    hours: 1,
    cis: ['mail-relay-1'],
  },
  {
    title: 'Apply the quarterly patches to the database cluster',
    description:
      'Patch one node at a time. Queries are slower in the meantime. Rollback: restore the snapshot taken before the patch.',
    group: 'database administration',
    type: 'normal',
    risk: 'high',
    hours: 5,
    cis: ['erp-db', 'reporting-db'],
  },
  {
    title: 'Add storage to the file servers in {site}',
    description: 'Add two disk shelves during operation. No downtime is expected.',
    group: 'cloud platform',
    type: 'normal',
    risk: 'low',
    hours: 3,
    cis: ['storage-array-1', 'file-server-1'],
  },
  {
    title: 'Require a second factor for remote access',
    description: 'Enable it group by group, starting with the service desk. Rollback: disable the rule.',
    group: 'identity and access',
    type: 'normal',
    risk: 'medium',
    hours: 2,
    cis: ['Single sign-on'],
  },
  {
    title: 'Patch a critical vulnerability in the web server library',
    description: 'A public exploit exists. Install the fixed library on all web servers tonight and restart them.',
    group: 'security',
    type: 'emergency',
    risk: 'medium',
    hours: 3,
    cis: ['web-1', 'web-2'],
  },
  {
    title: 'Upgrade the order system to the new release',
    description:
      'The release passed acceptance tests. Rollback: switch back to the previous release within 15 minutes.',
    group: 'business applications',
    type: 'normal',
    risk: 'medium',
    hours: 4,
    cis: ['ERP', 'erp-app-1'],
  },
];

export interface RequestTemplate {
  title: string;
  description: string;
  item: string;
  quantity: number;
}

export const requestTemplates: readonly RequestTemplate[] = [
  {
    title: 'Laptop for a new colleague in {site}',
    description: 'The colleague starts on the first of next month.',
    item: 'laptop',
    quantity: 1,
  },
  {
    title: 'Two monitors for a desk in {site}',
    description: 'Needed for work on technical drawings.',
    item: 'monitor',
    quantity: 2,
  },
  {
    title: 'Access to the order system',
    description: 'Read-only access is enough.',
    item: 'application access',
    quantity: 1,
  },
  {
    title: 'Licence for the drawing program',
    description: 'Needed until the end of the project in {site}.',
    item: 'software licence',
    quantity: 1,
  },
  {
    title: 'Shared mailbox for the events team',
    description: 'Everyone on the team needs to read and reply.',
    item: 'mailbox',
    quantity: 1,
  },
  {
    title: 'Headsets for the meeting rooms in {site}',
    description: 'The old ones cause an echo.',
    item: 'headset',
    quantity: 6,
  },
  { title: 'Visitor badge', description: 'Needed for three days, ground floor only.', item: 'badge', quantity: 1 },
];
