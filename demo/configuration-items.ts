import type { Relation } from '../contract/ci-relations.ts';
import type { Group } from './organization.ts';

// Demo configuration items: networks, hosts, servers, databases and services. Dependencies come first in the list.

export interface DemoCi {
  name: string;
  class: string;
  owner: Group;
  location: string;
  environment?: string;
  status?: 'degraded' | 'down' | 'retired';
  ip_address?: string;
  attributes?: Readonly<Record<string, unknown>>;
  relations?: readonly { type: Relation['type']; to: string }[];
}

export function buildDemoCis(): DemoCi[] {
  return [
    ...buildNetworks(),
    ...buildHosts(),
    ...buildDatabases(),
    ...buildServers(),
    ...buildDevices(),
    ...buildServices(),
  ];
}

const to = (type: Relation['type'], ...names: readonly string[]) => names.map((name) => ({ type, to: name }));

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

function buildNetworks(): DemoCi[] {
  const network = { owner: 'network' } as const;
  const core = { ...network, class: 'switch', location: 'Berlin, data centre' };
  return [
    { ...core, name: 'core-switch-1', ip_address: '10.0.0.2', attributes: { ports: 48, firmware: '17.9.4' } },
    { ...core, name: 'core-switch-2', ip_address: '10.0.0.3', relations: to('connected_to', 'core-switch-1') },
    {
      ...network,
      name: 'firewall-1',
      class: 'firewall',
      location: core.location,
      relations: to('depends_on', 'core-switch-1'),
    },
    ...numbersTo(2).map((n) => ({
      ...network,
      name: `vpn-gateway-${n}`,
      class: 'vpn gateway',
      location: n === 1 ? 'Berlin' : 'Oslo',
      relations: to('depends_on', 'firewall-1'),
    })),
    ...numbersTo(3).map((n) => ({
      ...network,
      name: `access-switch-${n}`,
      class: 'switch',
      location: ['Berlin', 'Lisbon', 'Oslo'][n - 1] ?? 'Berlin',
      relations: to('depends_on', n === 3 ? 'core-switch-2' : 'core-switch-1'),
    })),
    ...numbersTo(6).map((n) => ({
      ...network,
      name: `access-point-${n}`,
      class: 'access point',
      location:
        ['Berlin, floor 2', 'Berlin, floor 3', 'Lisbon, floor 1', 'Lisbon, floor 2', 'Oslo', 'Oslo, canteen'][n - 1] ??
        'Berlin',
      ...(n === 5 && { status: 'degraded' as const }),
      relations: to('depends_on', `access-switch-${Math.ceil(n / 2)}`),
    })),
  ];
}

function buildHosts(): DemoCi[] {
  return [
    ...numbersTo(6).map(
      (n): DemoCi => ({
        name: `host-${n}`,
        class: 'host',
        owner: 'cloud platform',
        location: `Berlin, data centre, rack ${n + 3}`,
        ip_address: `10.0.1.${n}`,
        attributes: { cpus: 64, memory_gb: 512, hypervisor: 'KVM' },
        relations: to('connected_to', 'core-switch-1', 'core-switch-2'),
      }),
    ),
    {
      name: 'virtual-cluster',
      class: 'cluster',
      owner: 'cloud platform',
      location: 'Berlin, data centre',
      relations: numbersTo(3).flatMap((n) => to('depends_on', `host-${n}`)),
    },
    ...numbersTo(2).map(
      (n): DemoCi => ({
        name: `storage-array-${n}`,
        class: 'storage',
        owner: 'cloud platform',
        location: 'Berlin, data centre',
        attributes: { capacity_tb: 120, used_percent: n === 1 ? 71 : 48 },
        relations: to('part_of', 'virtual-cluster'),
      }),
    ),
  ];
}

function buildDatabases(): DemoCi[] {
  const database = { class: 'database', owner: 'database administration', location: 'Berlin, data centre' } as const;
  return [
    { ...database, name: 'erp-db', attributes: { engine: 'PostgreSQL 16' }, relations: to('runs_on', 'host-4') },
    { ...database, name: 'reporting-db', attributes: { engine: 'PostgreSQL 16' }, relations: to('runs_on', 'host-5') },
    { ...database, name: 'hr-db', attributes: { engine: 'PostgreSQL 15' }, relations: to('runs_on', 'host-5') },
    { ...database, name: 'crm-db', attributes: { engine: 'MySQL 8.4' }, relations: to('runs_on', 'host-4') },
    { ...database, name: 'erp-db-replica', relations: [...to('runs_on', 'host-6'), ...to('depends_on', 'erp-db')] },
    { ...database, name: 'erp-db-staging', environment: 'staging', relations: to('runs_on', 'virtual-cluster') },
  ];
}

function buildServers(): DemoCi[] {
  const server = (name: string, owner: Group, on: string, more: Partial<DemoCi> = {}): DemoCi => ({
    name,
    class: 'server',
    owner,
    location: 'Berlin, data centre',
    attributes: { os: 'Debian 13', cpus: 8 },
    relations: to('runs_on', on),
    ...more,
  });
  return [
    ...numbersTo(2).map((n) => server(`mail-relay-${n}`, 'messaging', `host-${n}`)),
    server('mailbox-1', 'messaging', 'virtual-cluster', { attributes: { os: 'Debian 13', cpus: 16 } }),
    ...numbersTo(2).map((n) => server(`directory-${n}`, 'identity and access', `host-${n + 1}`)),
    server('file-server-1', 'identity and access', 'virtual-cluster'),
    ...numbersTo(3).map((n) => server(`web-${n}`, 'cloud platform', 'virtual-cluster', { ip_address: `10.0.2.${n}` })),
    server('web-legacy', 'cloud platform', 'host-6', { status: 'retired' }),
    server('load-balancer', 'cloud platform', 'host-3', { class: 'load balancer' }),
    ...numbersTo(2).map((n) => server(`erp-app-${n}`, 'business applications', 'virtual-cluster')),
    server('erp-app-staging', 'business applications', 'virtual-cluster', { environment: 'staging' }),
    ...numbersTo(2).map((n) => server(`crm-app-${n}`, 'business applications', 'virtual-cluster')),
    ...numbersTo(3).map((n) => server(`build-${n}`, 'cloud platform', 'host-6', { environment: 'development' })),
    ...numbersTo(2).map((n) => server(`name-server-${n}`, 'network', `host-${n}`, { ip_address: `10.0.0.5${n}` })),
    server('monitoring-1', 'cloud platform', 'host-3'),
    server('wiki-1', 'service desk', 'virtual-cluster'),
    server('backup-1', 'database administration', 'host-6'),
    ...numbersTo(2).map((n) => server(`endpoint-protection-${n}`, 'security', 'virtual-cluster')),
    server('mail-filter', 'security', 'virtual-cluster'),
    server('ups-controller', 'field service', 'host-6', { class: 'appliance', status: 'degraded' }),
  ];
}

function buildDevices(): DemoCi[] {
  const device = { owner: 'field service', environment: 'workplace' } as const;
  return [
    ...numbersTo(4).map((n) => ({
      ...device,
      name: `laptop-pool-${n}`,
      class: 'laptop pool',
      location: ['Berlin', 'Lisbon', 'Oslo', 'Dublin'][n - 1] ?? 'Berlin',
    })),
    ...numbersTo(3).map((n) => ({
      ...device,
      name: `printer-${n}`,
      class: 'printer',
      location: ['Berlin, floor 2', 'Lisbon', 'Oslo'][n - 1] ?? 'Berlin',
      relations: to('depends_on', `access-switch-${n}`),
    })),
  ];
}

function buildServices(): DemoCi[] {
  const service = (name: string, owner: Group, ...needs: readonly string[]): DemoCi => ({
    name,
    class: 'service',
    owner,
    location: 'All sites',
    relations: to('depends_on', ...needs),
  });
  return [
    service('Single sign-on', 'identity and access', 'directory-1', 'directory-2'),
    service('E-mail', 'messaging', 'mail-relay-1', 'mail-relay-2', 'mailbox-1', 'mail-filter', 'Single sign-on'),
    service('Remote access', 'network', 'vpn-gateway-1', 'vpn-gateway-2', 'Single sign-on'),
    service('Office network', 'network', 'access-switch-1', 'access-switch-2', 'access-switch-3', 'firewall-1'),
    service('ERP', 'business applications', 'erp-app-1', 'erp-app-2', 'erp-db', 'load-balancer', 'Single sign-on'),
    service('Order portal', 'business applications', 'web-1', 'web-2', 'web-3', 'load-balancer', 'ERP'),
    service('Reporting', 'business applications', 'reporting-db', 'erp-db-replica'),
    service('Payroll', 'business applications', 'hr-db', 'ERP'),
    service('Customer relations', 'business applications', 'crm-app-1', 'crm-app-2', 'crm-db', 'Single sign-on'),
    service('Name resolution', 'network', 'name-server-1', 'name-server-2'),
    service('Monitoring', 'cloud platform', 'monitoring-1', 'Name resolution'),
    service('Wiki', 'service desk', 'wiki-1', 'Single sign-on'),
    service('File shares', 'identity and access', 'file-server-1', 'Single sign-on'),
    service('Team chat', 'messaging', 'Single sign-on'),
    service('Backup', 'database administration', 'backup-1', 'storage-array-2'),
  ];
}
