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
  /** Names of affected configuration items. */
  cis: readonly string[];
  /** Work note for putting the incident on hold. */
  waiting: string;
  reports: readonly IncidentReport[];
}

/** What somebody reports, what is found out about it and what helps. */
export interface IncidentReport {
  title: string;
  description: string;
  finding: string;
  resolution: string;
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
    cis: ['vpn-gateway-1', 'vpn-gateway-2'],
    waiting: 'Waiting for a packet trace from the caller.',
    reports: [
      {
        title: 'VPN drops every few minutes from {site}',
        description:
          'The VPN connects, then drops after {n} minutes with "peer not responding". The rest of the internet works fine.',
        finding:
          'The gateway log shows dead peer detection firing for this client only, because large packets are lost on the way.',
        resolution: 'Lowered the tunnel MTU to 1380 in the client profile. The connection has been stable for a day.',
      },
      {
        title: 'Cannot connect to the VPN from home since this morning',
        description:
          'The client stops at "assigning an address" and gives up after {n} minutes. Colleagues in {site} have the same problem.',
        finding: 'The address pool of the gateway in {site} is used up.',
        resolution: 'The gateway in {site} had run out of address leases. Doubled the address pool.',
      },
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
    cis: ['access-point-1', 'access-point-3', 'access-point-5'],
    waiting: 'Ordered a replacement access point.',
    reports: [
      {
        title: 'Weak wireless signal on floor {n} in {site}',
        description: 'Calls freeze and file transfers stall. It gets better when I move to the corridor.',
        finding: 'The access point reports 70 clients on one radio, and its channel overlaps with the one next door.',
        resolution:
          'Moved the access point to channel 44 and lowered its transmit power. Coverage is good on the whole floor.',
      },
      {
        title: 'Meeting room {n} in {site} has no wireless network',
        description: 'No laptop in the room finds the network. Next door it works.',
        finding: 'One of the two radios of the access point has failed.',
        resolution: 'Replaced the access point because its second radio had failed.',
      },
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
    cis: ['access-switch-1', 'access-switch-2'],
    waiting: 'Waiting for the provider, who opened a ticket on their side.',
    reports: [
      {
        title: '{site} is offline',
        description: 'All desks in {site} lost the network at the same time. The phones are dead as well.',
        finding: 'Both uplinks are down because a fibre was cut; the provider sees no light on our side.',
        resolution: 'The provider repaired a cut fibre. Traffic ran over the second line in the meantime.',
      },
      {
        title: 'Core switch in {site} is not responding',
        description: 'The management address does not answer, and {n} racks have no network.',
        finding: 'The technician on site found a tripped breaker and a failed power supply.',
        resolution: 'Restored power to the rack and replaced the failed power supply. Both links are up again.',
      },
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
    cis: ['erp-db', 'reporting-db'],
    waiting: 'Waiting for the maintenance window.',
    reports: [
      {
        title: 'Order database is slow',
        description: 'Queries that usually take seconds take minutes today. CPU usage on the primary is {n}0%.',
        finding: 'A query plan changed after last night’s statistics update.',
        resolution:
          'Pinned the previous plan and added an index on (customer, created). The report takes 40 seconds again.',
      },
      {
        title: 'Reports scheduled for {n} o’clock time out',
        description: 'The reports start on time, wait and are cancelled after an hour. Single queries are fast.',
        finding: 'Sessions are waiting for locks on the order lines table, because a report left its transaction open.',
        resolution: 'A report had left a transaction open. Terminated it and gave the report a timeout.',
      },
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
    cis: ['storage-array-1', 'erp-db'],
    waiting: 'Waiting for the storage team, who will extend the volume tonight.',
    reports: [
      {
        title: 'Transaction log volume is 9{n}% full',
        description: 'Monitoring reports that the volume is growing by {n} GB per hour.',
        finding: 'Log backups stopped because the agent lost its credential.',
        resolution: 'Renewed the backup agent’s credential. The log has shrunk, and the alert now fires at 80%.',
      },
      {
        title: 'Backup of the warehouse failed: no space',
        description: 'The job ended with BKP-28 after {n} hours. The last good backup is two days old.',
        finding: 'Old snapshots fill the backup target, because nothing ever deleted them.',
        resolution: 'Deleted snapshots older than 35 days and scheduled a weekly cleanup.',
      },
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
    cis: ['web-1', 'web-2', 'virtual-cluster'],
    waiting: 'Opened a case with the vendor; they are looking at the load balancer.',
    reports: [
      {
        title: 'Checkout returns HTTP 502 for some customers',
        description: 'About one request in {n}0 has been failing since the last release. Health checks are green.',
        finding: 'The connection pool is exhausted because clients of the new release retry without a limit.',
        resolution: 'Rolled back to the previous image and limited client retries. The error rate is back to zero.',
      },
      {
        title: 'Deployments hang in stage {n} of the pipeline',
        description: 'The new instances never become healthy, and the pipeline waits until it times out.',
        finding: 'All new instances are in one availability zone, which is impaired.',
        resolution: 'Took the impaired zone out of rotation until the vendor confirmed the fix.',
      },
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
    cis: ['load-balancer'],
    waiting: 'Waiting for the partner to trust the new chain.',
    reports: [
      {
        title: 'Certificate for the partner API expires in {n} days',
        description: 'Monitoring warns every day. The certificate should have been renewed by itself.',
        finding: 'The renewal job failed silently because of a DNS change.',
        resolution: 'Issued a new certificate and fixed the renewal job, which now sends an alert when it fails.',
      },
      {
        title: 'Browsers show a certificate warning for the intranet',
        description: 'The certificate chain ends at an intermediate certificate that clients no longer trust.',
        finding: 'The server still sends the old intermediate certificate.',
        resolution: 'Installed the new intermediate certificate on the load balancer. The warning is gone.',
      },
    ],
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
    cis: ['host-4', 'host-5', 'ups-controller'],
    waiting: 'A technician will be on site tomorrow.',
    reports: [
      {
        title: 'Disk {n} failed in the {site} file server',
        description: 'The array is degraded but still working. The amber light is on.',
        finding: 'The controller confirms that the disk is faulty. We have a spare in stock.',
        resolution: 'Replaced the disk. The rebuild finished without errors after six hours.',
      },
      {
        title: 'Fan alarm on a virtualisation host',
        description: 'The host reports one fan at 0 rpm and runs {n} degrees warmer than its neighbours.',
        finding: 'The bearing of the fan is worn out. The other fans run at full speed.',
        resolution: 'Replaced the fan module.',
      },
    ],
  },
];
