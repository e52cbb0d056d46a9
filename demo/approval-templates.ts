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
      'Install the release of this month on the standby node, fail over, then on the other one.\n\nUndo: fail back.',
    group: 'network',
    type: 'standard',
    risk: 'medium',
    hours: 2,
    cis: ['vpn-gateway-1', 'vpn-gateway-2'],
  },
  {
    title: 'Replace the core switch in {site}',
    description: 'The old switch is out of support. Desks are offline for **20 minutes** while the cables are moved.',
    group: 'network',
    type: 'normal',
    risk: 'high',
    hours: 4,
    cis: ['access-switch-1'],
  },
  {
    title: 'Renew the certificate of the mail gateway',
    description: 'Install the new certificate, restart the gateway, check a delivery. Undo: restore the old file.',
    group: 'messaging',
    type: 'standard',
    risk: 'low',
    hours: 1,
    cis: ['mail-relay-1'],
  },
  {
    title: 'Apply the quarterly patches to the database cluster',
    description: 'One node after the other. Queries are slower meanwhile. Undo: restore the snapshot taken before.',
    group: 'database administration',
    type: 'normal',
    risk: 'high',
    hours: 5,
    cis: ['erp-db', 'reporting-db'],
  },
  {
    title: 'Add storage to the file servers in {site}',
    description: 'Two shelves are added while everything runs. Nobody should notice.',
    group: 'cloud platform',
    type: 'normal',
    risk: 'low',
    hours: 3,
    cis: ['storage-array-1', 'file-server-1'],
  },
  {
    title: 'Require a second factor for remote access',
    description: 'Turned on group by group, service desk first. Undo: the rule is switched off again.',
    group: 'identity and access',
    type: 'normal',
    risk: 'medium',
    hours: 2,
    cis: ['Single sign-on'],
  },
  {
    title: 'Close the hole in the web server library',
    description: 'A public exploit exists. All web servers get the fixed library tonight and are restarted.',
    group: 'security',
    type: 'emergency',
    risk: 'medium',
    hours: 3,
    cis: ['web-1', 'web-2'],
  },
  {
    title: 'Move the order system to its new release',
    description:
      'The release was accepted in the test system. Undo: switch back to the release before, within 15 minutes.',
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
    title: 'A laptop for a new colleague in {site}',
    description: 'Starts on the first of next month.',
    item: 'laptop',
    quantity: 1,
  },
  { title: 'Two monitors for the desk in {site}', description: 'For work on drawings.', item: 'monitor', quantity: 2 },
  {
    title: 'Access to the order system',
    description: 'To read orders, not to change them.',
    item: 'application access',
    quantity: 1,
  },
  {
    title: 'A licence of the drawing program',
    description: 'For the project in {site}, until it ends.',
    item: 'software licence',
    quantity: 1,
  },
  {
    title: 'A shared mailbox for the events team',
    description: 'Everybody of the team reads and answers.',
    item: 'mailbox',
    quantity: 1,
  },
  {
    title: 'Headsets for the meeting rooms in {site}',
    description: 'The old ones have an echo.',
    item: 'headset',
    quantity: 6,
  },
  { title: 'A badge for a visitor', description: 'For three days, ground floor only.', item: 'badge', quantity: 1 },
];
