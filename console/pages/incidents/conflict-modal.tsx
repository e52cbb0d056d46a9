import Alert from '@cloudscape-design/components/alert';
import Table, { type TableProps } from '@cloudscape-design/components/table';
import { DecisionModal } from '../../components/decision-modal.tsx';
import { fieldName, fieldNames, type Incident, valueText } from './incident-words.ts';
import type { Conflict, IncidentChange } from './use-incident-change.ts';

/** Shows what somebody else changed in the meantime and lets the reader decide. */
export function ConflictModal({ change }: { change: IncidentChange }) {
  const { conflict } = change;
  if (!conflict) return null;
  const rows = rowsOf(conflict);
  const touched = rows.some(({ overlaps }) => overlaps);
  return (
    <DecisionModal
      title="This incident was changed by someone else"
      size="large"
      dismissText="Discard my changes"
      onDismiss={change.giveUp}
      confirmText="Overwrite with my changes"
      onConfirm={change.applyAnyway}
      busy={change.saving}
    >
      <Alert type={touched ? 'warning' : 'info'}>
        {touched
          ? 'Someone else changed a field that you also changed. Overwriting replaces their value with yours.'
          : 'Your changes do not overlap with theirs. Overwriting keeps both.'}
      </Alert>
      <Table
        variant="embedded"
        items={rows}
        trackBy="field"
        wrapLines
        columnDefinitions={columns}
        empty="No field values differ."
      />
    </DecisionModal>
  );
}

const columns: readonly TableProps.ColumnDefinition<Row>[] = [
  { id: 'field', header: 'Field', cell: ({ field }) => fieldName(field), isRowHeader: true },
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

const unimportant: readonly (keyof Incident)[] = ['updated_at', 'work_notes_count', 'sla_breach_at'];

function rowsOf({ base, theirs, change }: Conflict): Row[] {
  const fields = (Object.keys(fieldNames) as (keyof Incident)[]).filter((field) => !unimportant.includes(field));
  return fields.flatMap((field) => {
    const changedByOthers = base.incident[field] !== theirs.incident[field];
    const changedByMe = field in change;
    if (!changedByOthers && !changedByMe) return [];
    const mine = (change as Readonly<Record<string, unknown>>)[field];
    return {
      field,
      before: short(valueText(field, base.incident[field])),
      now: short(valueText(field, theirs.incident[field])),
      mine: changedByMe ? short(valueText(field, mine)) : undefined,
      overlaps: changedByOthers && changedByMe && theirs.incident[field] !== mine,
    };
  });
}

const longestShown = 300;

function short(text: string): string {
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
