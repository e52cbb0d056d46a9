import { Construct } from 'constructs';
import type { Operation } from '../contract/operation.ts';
import { type OperationName, routes } from '../contract/routes.ts';
import type { BulkJobs } from './bulk-jobs.ts';
import type { Functions, ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';

export interface RoutesProps {
  functions: Functions;
  records: Records;
  bulkJobs: BulkJobs;
}

/** One function per operation of the contract, with exactly the permissions that its use case needs. */
export class Routes extends Construct {
  readonly functions: Readonly<Record<OperationName, ServiceFunction>>;
  /** For everything that no operation answers. */
  readonly unmatched: ServiceFunction;

  constructor(scope: Construct, id: string, { functions, records, bulkJobs }: RoutesProps) {
    super(scope, id);
    const names = Object.keys(routes) as OperationName[];
    const permissions = permissionsFor(records, bulkJobs);
    this.functions = Object.fromEntries(
      names.map((name) => {
        const operation: Operation = routes[name];
        const fn = functions.create({
          name: kebabCase(name),
          capability: operation.capability,
          description: `${operation.summary} (${operation.method} ${operation.path}).`,
        });
        if (operation.access !== 'public') records.grantCount(fn);
        permissions[name](fn);
        return [name, fn];
      }),
    ) as Record<OperationName, ServiceFunction>;
    this.unmatched = functions.create({
      name: 'unmatched-route',
      capability: 'gateway',
      description: 'Answers preflights, unknown methods and unknown paths.',
    });
  }
}

/** An operation without an entry here does not compile. */
function permissionsFor(records: Records, bulkJobs: BulkJobs): Record<OperationName, (fn: ServiceFunction) => void> {
  const none = () => {};
  const readAndWrite = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantWrite(fn);
  };
  const readWithParts = (fn: ServiceFunction) => {
    records.grantGet(fn);
    records.grantQuery(fn);
  };
  return {
    getHealth: (fn) => records.grantGet(fn),
    getMe: none,
    listIncidents: (fn) => records.grantList(fn),
    createIncident: (fn) => records.grantWrite(fn),
    getIncident: (fn) => records.grantGet(fn),
    updateIncident: readAndWrite,
    deleteIncident: readAndWrite,
    listIncidentHistory: readWithParts,
    getIncidentSla: (fn) => records.grantGet(fn),
    listWorkNotes: readWithParts,
    createWorkNote: (fn) => records.grantWrite(fn),
    bulkIncidents: (fn) => {
      records.grantWrite(fn);
      bulkJobs.grantSend(fn);
    },
    listJobs: (fn) => records.grantQuery(fn),
    getJob: readWithParts,
  };
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
