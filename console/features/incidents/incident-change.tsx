import { useState } from 'react';
import { ServiceProblem } from '../../../client/index.ts';
import type { IncidentState } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useCaller } from '../../base/caller.tsx';
import { collectPages } from '../../base/paging.ts';
import { formatFieldName, formatValue } from '../../records/record-words.ts';
import { type CurrentRecord, type RecordVersion, useRecord } from '../../records/use-record.ts';
import { fieldNames, type Incident, incidentWords } from '../../resources/incident-words.ts';
import { Alert, type Column, Table } from '../../ui/kit/index.ts';
import { DecisionModal } from '../../ui/modals.tsx';

export type IncidentVersion = RecordVersion<Incident>;

export type CurrentIncident = CurrentRecord<Incident>;

export function useIncident(id: string, which: 'existing' | 'deleted'): CurrentIncident {
  const { client } = useApi();
  const query = which === 'deleted' ? { id, include_deleted: true } : { id };
  return useRecord(['incidents', id, which], (options) => client.getIncident.withResponse(query, options));
}

export type Change = Partial<Incident> & { state?: IncidentState; work_note?: string };

/** A rejected change, with the version it was made for and the current one. */
export interface Conflict {
  base: IncidentVersion;
  theirs: IncidentVersion;
  change: Change;
  /** The people who changed it meanwhile. */
  authors: readonly string[];
}

export interface IncidentChange {
  /** Resolves to true when saved. */
  save(change: Change): Promise<boolean>;
  saving: boolean;
  problem: unknown;
  conflict: Conflict | undefined;
  /** Applies the rejected change to the current version. */
  applyAnyway(): Promise<boolean>;
  /** Discards the change and shows the current version. */
  giveUp(): void;
  /** Also closes the conflict; the user's input stays. */
  forgetProblem(): void;
}

interface State {
  saving: boolean;
  problem?: unknown;
  conflict?: Conflict;
}

/** Updates the version of the incident that the user saw. */
export function useIncidentChange(
  current: IncidentVersion,
  onSaved: (version: IncidentVersion) => void,
): IncidentChange {
  const { client } = useApi();
  const [state, setState] = useState<State>({ saving: false });
  const { id } = current.record;

  const attempt = async (change: Change, base: IncidentVersion): Promise<boolean> => {
    setState({ saving: true });
    try {
      const options = base.etag ? { ifMatch: base.etag } : {};
      const answer = await client.updateIncident.withResponse({ id }, change, options);
      setState({ saving: false });
      onSaved({ record: answer.data, etag: answer.etag });
      return true;
    } catch (problem) {
      setState(isConflict(problem) ? await loadConflict(change, base) : { saving: false, problem });
      return false;
    }
  };
  const loadConflict = async (change: Change, base: IncidentVersion): Promise<State> => {
    try {
      const answer = await client.getIncident.withResponse({ id });
      if (answer.notModified) throw new Error('The service returned 304 Not Modified for a changed record.');
      const theirs = { record: answer.data, etag: answer.etag };
      const authors = await loadAuthors(base);
      return { saving: false, conflict: { base, theirs, change, authors } };
    } catch (problem) {
      return { saving: false, problem };
    }
  };
  /** A failure only leaves the names out. */
  const loadAuthors = async ({ record }: IncidentVersion): Promise<string[]> => {
    const history = await collectPages((page) => client.listIncidentHistory({ id, ...page })).catch(() => undefined);
    const later = history?.items.filter(({ at }) => at > record.updated_at) ?? [];
    return [...new Set(later.map(({ actor }) => actor))];
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

/** Shows what someone else changed and lets the user decide. */
export function ConflictModal({ change, onClose }: { change: IncidentChange; onClose?: () => void }) {
  const { conflict } = change;
  const { data: caller } = useCaller();
  if (!conflict) return null;
  const rows = toRows(conflict);
  const touched = rows.some(({ overlaps }) => overlaps);
  const isOwn = conflict.authors.length > 0 && conflict.authors.every((author) => author === caller?.email);
  return (
    <DecisionModal
      title={isOwn ? 'You changed this incident elsewhere' : 'This incident was changed by someone else'}
      size="large"
      dismissText="Discard my changes"
      onDismiss={change.giveUp}
      onClose={() => {
        change.forgetProblem();
        onClose?.();
      }}
      confirmText="Overwrite with my changes"
      onConfirm={change.applyAnyway}
      busy={change.saving}
    >
      <Alert type={touched ? 'warning' : 'info'}>
        {touched
          ? 'A field that you change was changed in the meantime. Overwriting replaces that value with yours.'
          : 'Your changes do not overlap with those in the meantime. Overwriting keeps both.'}{' '}
        {conflict.authors.length > 0 && !isOwn && `Changed by ${conflict.authors.join(', ')}.`}
      </Alert>
      <Table label="Differences" items={rows} trackBy="field" columns={columns} empty="No field values differ." />
    </DecisionModal>
  );
}

const columns: readonly Column<Row>[] = [
  { id: 'field', header: 'Field', cell: ({ field }) => formatFieldName(incidentWords, field), isRowHeader: true },
  { id: 'before', header: 'Original', cell: ({ before }) => before },
  { id: 'now', header: 'Current', cell: ({ now }) => now },
  { id: 'mine', header: 'Yours', cell: ({ mine }) => mine ?? '' },
];

interface Row {
  field: string;
  before: string;
  now: string;
  mine: string | undefined;
  overlaps: boolean;
}

const unimportant: readonly (keyof Incident)[] = ['updated_at', 'work_notes_count', 'sla_breach_at', 'sla_breached_at'];

function toRows({ base, theirs, change }: Conflict): Row[] {
  const fields = (Object.keys(fieldNames) as (keyof Incident)[]).filter((field) => !unimportant.includes(field));
  return fields.flatMap((field) => {
    const changedByOthers = base.record[field] !== theirs.record[field];
    const changedByMe = field in change;
    if (!changedByOthers && !changedByMe) return [];
    const mine = (change as Readonly<Record<string, unknown>>)[field];
    return {
      field,
      before: short(formatValue(incidentWords, field, base.record[field])),
      now: short(formatValue(incidentWords, field, theirs.record[field])),
      mine: changedByMe ? short(formatValue(incidentWords, field, mine)) : undefined,
      overlaps: changedByOthers && changedByMe && theirs.record[field] !== mine,
    };
  });
}

const maxShownLength = 300;

function short(text: string): string {
  return text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text;
}
