import { ciType } from '../cmdb/ci.ts';
import { createIncidentRules } from '../incidents/incident.ts';
import { loadSlaPolicy } from '../incidents/sla/sla.ts';
import { clock } from '../platform/clock.ts';
import type { ItemStore } from '../records/item-store.ts';
import { createChanger } from '../records/wiring.ts';
import { createCiWork, createIncidentWork } from './bulk-work.ts';
import type { WorkByKind } from './process-record.ts';

/** The work of jobs and proposals, from the function's environment. */
export function createWork(store: ItemStore): WorkByKind {
  const rules = createIncidentRules(loadSlaPolicy());
  return {
    incident: createIncidentWork({ store, change: createChanger(rules.resource, store), rules, clock }),
    ci: createCiWork({ store, change: createChanger(ciType, store), clock }),
  };
}
