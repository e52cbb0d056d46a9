import { Construct } from 'constructs';
import { type Functions, grantAll, type ServiceFunction } from './functions.ts';
import type { Records } from './records.ts';
import { Schedule } from './schedule.ts';

export interface ServiceLevelsProps {
  functions: Functions;
  records: Records;
}

/** Marks SLA warnings and breaches when they are due. */
export class ServiceLevels extends Construct {
  readonly sweep: ServiceFunction;

  constructor(scope: Construct, id: string, { functions, records }: ServiceLevelsProps) {
    super(scope, id);
    this.sweep = functions.create({
      name: 'sweep-sla',
      capability: 'sla',
      description: 'Records SLA warnings and SLA breaches, and applies changed policies to open records.',
    });
    grantAll(records.grantFindDue, records.grantFeed, records.grantGet, records.grantWrite)(this.sweep);
    new Schedule(this, 'EveryMinute', {
      minutes: 1,
      description: 'Checks for due SLA targets every minute.',
      target: this.sweep,
    });
  }
}
