import Box from '@cloudscape-design/components/box';
import type { TableProps } from '@cloudscape-design/components/table';
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

const text = (value: string | null) => value ?? <Box color="text-status-inactive">–</Box>;

export const incidentColumns: readonly IncidentColumn[] = [
  column('id', 'Id', ({ id }) => <PageLink to={incidentPath(id)}>{id}</PageLink>, { isRowHeader: true, minWidth: 120 }),
  column('short_description', 'Short description', (incident) => incident.short_description, {
    minWidth: 220,
    maxWidth: 420,
  }),
  column('priority', 'Priority', ({ priority }) => <PriorityBadge priority={priority} />, {
    sortingField: 'priority',
    minWidth: 96,
  }),
  column('state', 'State', ({ state }) => <StateLabel state={state} />, { minWidth: 126 }),
  column('assignment_group', 'Group', ({ assignment_group }) => text(assignment_group), { minWidth: 110 }),
  column('assigned_to', 'Assigned to', ({ assigned_to }) => text(assigned_to), { minWidth: 130, maxWidth: 200 }),
  column('sla', 'Time to breach', (incident) => <SlaLabel incident={incident} />, { minWidth: 150 }),
  column('updated_at', 'Updated', ({ updated_at }) => <Ago at={updated_at} />, {
    sortingField: 'updated_at',
    minWidth: 110,
  }),
  column('created_at', 'Created', ({ created_at }) => <Ago at={created_at} />, {
    sortingField: 'created_at',
    minWidth: 110,
  }),
  column('category', 'Category', ({ category }) => text(category)),
  column('opened_by', 'Opened by', ({ opened_by }) => opened_by),
];

const firstHidden = ['category', 'opened_by'];

export const firstColumnDisplay = incidentColumns.map(({ id }) => ({ id, visible: !firstHidden.includes(id) }));
