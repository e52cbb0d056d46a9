import type { Priority } from '../contract/states.ts';
import type { Group } from './organization.ts';

/** A template for recurring incidents. `{site}` and `{n}` are replaced in its texts. */
export interface IncidentTemplate {
  category: string;
  subcategory: string;
  group: Group;
  /** Relative frequency. */
  weight: number;
  priorities: readonly (readonly [Priority, number])[];
  titles: readonly string[];
  description: string;
  /** Names of affected configuration items. */
  cis: readonly string[];
  findings: readonly string[];
  /** Work note for putting the incident on hold. */
  waiting: string;
  resolutions: readonly string[];
}

export const infrastructureIncidents: readonly IncidentTemplate[] = [
  {
    category: 'network',
    subcategory: 'vpn',
    group: 'network',
    weight: 12,
    priorities: [
      ['P2', 2],
      ['P3', 6],
    ],
    titles: ['VPN drops every few minutes from {site}', 'No VPN connection from home since this morning'],
    description:
      'The tunnel comes up, then ends after {n} minutes with "peer not responding". Other internet traffic is fine.',
    cis: ['vpn-gateway-1', 'vpn-gateway-2'],
    findings: [
      'Gateway log shows dead-peer detection firing for this client only.',
      'Reproduced with a test laptop on the same provider.',
    ],
    waiting: 'Waiting for a trace from the caller.',
    resolutions: [
      'Lowered the MTU of the tunnel to 1380 on the client profile; stable for a day.',
      'The gateway in {site} ran out of address leases; the pool was doubled.',
    ],
  },
  {
    category: 'network',
    subcategory: 'wireless',
    group: 'network',
    weight: 8,
    priorities: [
      ['P3', 5],
      ['P4', 3],
    ],
    titles: ['Weak wireless signal on floor {n} in {site}', 'Meeting room {n} in {site} has no wireless network'],
    description: 'Calls freeze and file transfers stop. Moving to the corridor helps.',
    cis: ['access-point-1', 'access-point-3', 'access-point-5'],
    findings: ['Access point reports 70 clients on one radio.', 'Channel overlaps with the neighbouring office.'],
    waiting: 'Replacement access point ordered.',
    resolutions: [
      'Moved the access point to channel 44 and lowered its power; coverage measured again.',
      'Replaced the access point, whose second radio had failed.',
    ],
  },
  {
    category: 'network',
    subcategory: 'switching',
    group: 'network',
    weight: 3,
    priorities: [
      ['P1', 4],
      ['P2', 3],
    ],
    titles: ['{site} is offline', 'Core switch in {site} does not answer'],
    description: 'All desks in {site} lost the network at the same time. Phones are dead as well.',
    cis: ['access-switch-1', 'access-switch-2'],
    findings: [
      'Both uplinks are down; the provider sees no light on our side.',
      'On-site hands found a tripped breaker.',
    ],
    waiting: 'The provider has opened a ticket of its own.',
    resolutions: [
      'Power to the rack was restored and the supply replaced; links are up and redundant again.',
      'The provider repaired a cut fibre; traffic was moved to the second line meanwhile.',
    ],
  },
  {
    category: 'database',
    subcategory: 'performance',
    group: 'database administration',
    weight: 6,
    priorities: [
      ['P1', 1],
      ['P2', 4],
      ['P3', 3],
    ],
    titles: ['Order database answers slowly', 'Reports on the {n} o’clock run time out'],
    description: 'Queries that take seconds on other days take minutes. CPU of the primary is at {n}0 percent.',
    cis: ['erp-db', 'reporting-db'],
    findings: ['One plan changed after the statistics were renewed at night.', 'Lock waits on the order lines.'],
    waiting: 'Waiting for the maintenance window.',
    resolutions: [
      'Pinned the former plan and added an index on (customer, created); run time is back to 40 seconds.',
      'A report left a transaction open; it was ended and the report got a timeout.',
    ],
  },
  {
    category: 'database',
    subcategory: 'storage',
    group: 'database administration',
    weight: 4,
    priorities: [
      ['P2', 3],
      ['P3', 3],
    ],
    titles: ['Transaction log volume at 9{n} percent', 'Backup of the warehouse failed: no space'],
    description: 'Monitoring warns that the volume fills up by {n} GB an hour.',
    cis: ['storage-array-1', 'erp-db'],
    findings: ['Log backups stopped after the agent lost its credential.', 'Old snapshots were never expired.'],
    waiting: 'Storage team extends the volume tonight.',
    resolutions: [
      'Renewed the credential of the backup agent; the log shrank and the alert is armed at 80 percent.',
      'Expired snapshots older than 35 days and scheduled that weekly.',
    ],
  },
  {
    category: 'cloud',
    subcategory: 'compute',
    group: 'cloud platform',
    weight: 6,
    priorities: [
      ['P1', 2],
      ['P2', 4],
      ['P3', 2],
    ],
    titles: ['Checkout answers 502 for some customers', 'Deployments hang in stage {n}'],
    description: 'About one request in {n}0 fails since the last release. Health checks are green.',
    cis: ['web-1', 'web-2', 'virtual-cluster'],
    findings: ['Failures come from one availability zone only.', 'Connections are exhausted after a retry storm.'],
    waiting: 'Vendor case opened; they look at the load balancer.',
    resolutions: [
      'Rolled back to the previous image and capped the retries of the client; error rate is zero.',
      'Took the impaired zone out of rotation until the vendor confirmed the repair.',
    ],
  },
  {
    category: 'cloud',
    subcategory: 'certificates',
    group: 'cloud platform',
    weight: 3,
    priorities: [
      ['P2', 4],
      ['P3', 2],
    ],
    titles: [
      'Certificate of the partner interface expires in {n} days',
      'Browsers warn about the intranet certificate',
    ],
    description: 'The chain ends at an intermediate that clients no longer accept.',
    cis: ['load-balancer'],
    findings: ['Renewal job failed silently after a DNS change.'],
    waiting: 'Waiting for the partner to trust the new chain.',
    resolutions: ['Issued a new certificate and repaired the renewal job; it now alerts on failure.'],
  },
  {
    category: 'server',
    subcategory: 'hardware',
    group: 'field service',
    weight: 4,
    priorities: [
      ['P2', 2],
      ['P3', 4],
    ],
    titles: ['Disk {n} in the file server of {site} failed', 'Fan alarm on a virtualisation host'],
    description: 'The array is degraded but works. The amber light is on.',
    cis: ['host-4', 'host-5', 'ups-controller'],
    findings: ['Confirmed by the controller; a spare is in stock.'],
    waiting: 'Technician on site tomorrow.',
    resolutions: ['Replaced the disk; the rebuild took six hours and ended clean.', 'Replaced the fan module.'],
  },
];
