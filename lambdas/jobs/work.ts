import { incidentImport } from '../../contract/incident-imports.ts';
import { incidentCreation } from '../../contract/incidents.ts';
import { problemImport } from '../../contract/problem-imports.ts';
import { problemCreation } from '../../contract/problems.ts';
import { ciType } from '../cmdb/ci.ts';
import { createIncidentImportRules } from '../incidents/import-incident.ts';
import { createIncidentRules } from '../incidents/incident.ts';
import { clock } from '../platform/clock.ts';
import { applyProblemPatch, newProblem, problemImportRules, problemResource } from '../problems/problem.ts';
import type { ItemStore } from '../records/item-store.ts';
import { createChanger } from '../records/wiring.ts';
import { loadLevels } from '../sla/level-store.ts';
import { createCiWork, createImport, createRecordWork } from './bulk-work.ts';
import type { WorkByKind } from './process-record.ts';

/** The work of jobs and proposals, from the function's environment. */
export function createWork(store: ItemStore): WorkByKind {
  const rules = createIncidentRules(loadLevels());
  return {
    incident: {
      ...createRecordWork({
        store,
        change: createChanger(rules.resource, store),
        clock,
        kind: 'incident',
        creation: incidentCreation,
        draft: rules.create,
        apply: rules.change,
        resolve: rules.resolve,
      }),
      import: createImport({ store, schema: incidentImport, rules: createIncidentImportRules(rules), clock }),
    },
    problem: {
      ...createRecordWork({
        store,
        change: createChanger(problemResource, store),
        clock,
        kind: 'problem',
        creation: problemCreation,
        draft: newProblem,
        apply: (before, fields, _, nowMs) => applyProblemPatch(before, fields, nowMs),
      }),
      import: createImport({ store, schema: problemImport, rules: problemImportRules, clock }),
    },
    ci: createCiWork({ store, change: createChanger(ciType, store), clock }),
  };
}
