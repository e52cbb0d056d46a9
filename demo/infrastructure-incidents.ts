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
    titles: ['VPN drops every few minutes from {site}', 'Cannot connect to the VPN from home since this morning'],
    description:
      'The VPN connects, then drops after {n} minutes with "peer not responding". The rest of the internet works fine.',
    cis: ['vpn-gateway-1', 'vpn-gateway-2'],
    findings: [
      'The gateway log shows dead peer detection firing for this client only.',
      'Reproduced with a test laptop on the same internet provider.',
    ],
    waiting: 'Waiting for a packet trace from the caller.',
    resolutions: [
      'Lowered the tunnel MTU to 1380 in the client profile. The connection has been stable for a day.',
      'The gateway in {site} had run out of address leases. Doubled the address pool.',
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
    description: 'Calls freeze and file transfers stall. It gets better when I move to the corridor.',
    cis: ['access-point-1', 'access-point-3', 'access-point-5'],
    findings: ['The access point reports 70 clients on one radio.', 'The channel overlaps with the one next door.'],
    waiting: 'Ordered a replacement access point.',
    resolutions: [
      'Moved the access point to channel 44 and lowered its transmit power. Coverage is good on the whole floor.',
      'Replaced the access point because its second radio had failed.',
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
    titles: ['{site} is offline', 'Core switch in {site} is not responding'],
    description: 'All desks in {site} lost the network at the same time. The phones are dead as well.',
    cis: ['access-switch-1', 'access-switch-2'],
    findings: [
      'Both uplinks are down; the provider sees no light on our side.',
      'The technician on site found a tripped breaker.',
    ],
    waiting: 'Waiting for the provider, who opened a ticket on their side.',
    resolutions: [
      'Restored power to the rack and replaced the failed power supply. Both links are up again.',
      'The provider repaired a cut fibre. Traffic ran over the second line in the meantime.',
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
    titles: ['Order database is slow', 'Reports scheduled for {n} o’clock time out'],
    description: 'Queries that usually take seconds take minutes today. CPU usage on the primary is {n}0%.',
    cis: ['erp-db', 'reporting-db'],
    findings: [
      'A query plan changed after last night’s statistics update.',
      'Sessions are waiting for locks on the order lines table.',
    ],
    waiting: 'Waiting for the maintenance window.',
    resolutions: [
      'Pinned the previous plan and added an index on (customer, created). The report takes 40 seconds again.',
      'A report had left a transaction open. Terminated it and gave the report a timeout.',
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
    titles: ['Transaction log volume is 9{n}% full', 'Backup of the warehouse failed: no space'],
    description: 'Monitoring reports that the volume is growing by {n} GB per hour.',
    cis: ['storage-array-1', 'erp-db'],
    findings: ['Log backups stopped after the agent lost its credential.', 'Old snapshots were never deleted.'],
    waiting: 'Waiting for the storage team, who will extend the volume tonight.',
    resolutions: [
      'Renewed the backup agent’s credential. The log has shrunk, and the alert now fires at 80%.',
      'Deleted snapshots older than 35 days and scheduled a weekly cleanup.',
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
    titles: ['Checkout returns HTTP 502 for some customers', 'Deployments hang in stage {n} of the pipeline'],
    description: 'About one request in {n}0 has been failing since the last release. Health checks are green.',
    cis: ['web-1', 'web-2', 'virtual-cluster'],
    findings: [
      'All failures come from one availability zone.',
      'The connection pool is exhausted after a retry storm.',
    ],
    waiting: 'Opened a case with the vendor; they are looking at the load balancer.',
    resolutions: [
      'Rolled back to the previous image and limited client retries. The error rate is back to zero.',
      'Took the impaired zone out of rotation until the vendor confirmed the fix.',
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
      'Certificate for the partner API expires in {n} days',
      'Browsers show a certificate warning for the intranet',
    ],
    description: 'The certificate chain ends at an intermediate certificate that clients no longer trust.',
    cis: ['load-balancer'],
    findings: ['The renewal job failed silently after a DNS change.'],
    waiting: 'Waiting for the partner to trust the new chain.',
    resolutions: ['Issued a new certificate and fixed the renewal job, which now sends an alert when it fails.'],
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
    titles: ['Disk {n} failed in the {site} file server', 'Fan alarm on a virtualisation host'],
    description: 'The array is degraded but still working. The amber light is on.',
    cis: ['host-4', 'host-5', 'ups-controller'],
    findings: ['The controller confirms the fault. We have a spare in stock.'],
    waiting: 'A technician will be on site tomorrow.',
    resolutions: [
      'Replaced the disk. The rebuild finished without errors after six hours.',
      'Replaced the fan module.',
    ],
  },
];
