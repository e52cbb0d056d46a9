import Box from '@cloudscape-design/components/box';
import type { TableProps } from '@cloudscape-design/components/table';
import { Person } from '../../../components/email.tsx';
import { Ago } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { type Incident, incidentPath } from '../incident-words.ts';
import { PriorityBadge } from '../priority-badge.tsx';
import { SlaLabel } from '../sla-label.tsx';
import { StateLabel } from '../state-label.tsx';

export type IncidentColumn = TableProps.ColumnDefinition<Incident> & { id: string; name: string };

const column = (
  id: string,
  name: string,
  cell: (incident: Incident) => React.ReactNode,
  rest: Partial<TableProps.ColumnDefinition<Incident>> = {},
): IncidentColumn => ({ id, name, header: name, cell, ...rest }) as IncidentColumn;

const none = <Box color="text-status-inactive">–</Box>;

const text = (value: string | null) => value ?? none;

export const incidentColumns: readonly IncidentColumn[] = [
  column('id', 'ID', ({ id }) => <PageLink to={incidentPath(id)}>{id}</PageLink>, { isRowHeader: true, minWidth: 118 }),
  column('short_description', 'Short description', (incident) => incident.short_description, { minWidth: 160 }),
  column('priority', 'Priority', ({ priority }) => <PriorityBadge priority={priority} />, {
    sortingField: 'priority',
    minWidth: 92,
  }),
  column('state', 'State', ({ state }) => <StateLabel state={state} />, { minWidth: 128 }),
  column('sla', 'Time to breach', (incident) => <SlaLabel incident={incident} />, { minWidth: 128 }),
  column('assignment_group', 'Group', ({ assignment_group }) => text(assignment_group), { minWidth: 84 }),
  column('assigned_to', 'Assigned to', ({ assigned_to }) => (assigned_to ? <Person address={assigned_to} /> : none), {
    minWidth: 84,
  }),
  column('updated_at', 'Updated', ({ updated_at }) => <Ago at={updated_at} />, {
    sortingField: 'updated_at',
    minWidth: 104,
  }),
  column('created_at', 'Created', ({ created_at }) => <Ago at={created_at} />, {
    sortingField: 'created_at',
    minWidth: 104,
  }),
  column('category', 'Category', ({ category }) => text(category)),
  column('opened_by', 'Opened by', ({ opened_by }) => <Person address={opened_by} />),
];

const firstHidden = ['created_at', 'category', 'opened_by'];

export const firstColumnDisplay = incidentColumns.map(({ id }) => ({ id, visible: !firstHidden.includes(id) }));
