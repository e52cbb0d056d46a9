import { useState } from 'react';
import { ServiceProblem } from '../../../client/index.ts';
import type { IncidentState } from '../../../contract/states.ts';
import { useApi } from '../../api.ts';
import type { Patch } from './form/incident-draft.ts';
import type { IncidentVersion } from './use-incident.ts';

export type Change = Patch & { state?: IncidentState; work_note?: string };

/** Somebody else was faster: what the change was made for, what there is now, and the change itself. */
export interface Conflict {
  base: IncidentVersion;
  theirs: IncidentVersion;
  change: Change;
}

export interface IncidentChange {
  /** True when it was saved. */
  save(change: Change): Promise<boolean>;
  saving: boolean;
  problem: unknown;
  conflict: Conflict | undefined;
  /** Saves the change that met a conflict on top of what there is now. */
  applyAnyway(): Promise<boolean>;
  /** Gives the change up and shows what there is now. */
  giveUp(): void;
  forgetProblem(): void;
}

interface State {
  saving: boolean;
  problem?: unknown;
  conflict?: Conflict;
}

/** Changes an incident, but only the version that the reader saw. */
export function useIncidentChange(
  current: IncidentVersion,
  onSaved: (version: IncidentVersion) => void,
): IncidentChange {
  const { client } = useApi();
  const [state, setState] = useState<State>({ saving: false });
  const { id } = current.incident;

  const attempt = async (change: Change, base: IncidentVersion): Promise<boolean> => {
    setState({ saving: true });
    try {
      const options = base.etag ? { ifMatch: base.etag } : {};
      const answer = await client.updateIncident.withResponse({ id }, change, options);
      setState({ saving: false });
      onSaved({ incident: answer.data, etag: answer.etag });
      return true;
    } catch (problem) {
      setState(isConflict(problem) ? await conflictOf(change, base) : { saving: false, problem });
      return false;
    }
  };
  const conflictOf = async (change: Change, base: IncidentVersion): Promise<State> => {
    try {
      const answer = await client.getIncident.withResponse({ id });
      if (answer.notModified) throw new Error('The service returned 304 Not Modified for a changed record.');
      const theirs = { incident: answer.data, etag: answer.etag };
      return { saving: false, conflict: { base, theirs, change } };
    } catch (problem) {
      return { saving: false, problem };
    }
  };
  const { conflict } = state;
  return {
    saving: state.saving,
    problem: state.problem,
    conflict,
    save: (change) => attempt(change, current),
    applyAnyway: async () => (conflict ? attempt(conflict.change, conflict.theirs) : false),
    giveUp: () => {
      setState({ saving: false });
      if (conflict) onSaved(conflict.theirs);
    },
    forgetProblem: () => setState({ saving: false }),
  };
}

function isConflict(problem: unknown): boolean {
  return problem instanceof ServiceProblem && problem.status === 412;
}
