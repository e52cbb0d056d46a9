import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ReactNode } from 'react';
import { Email } from '../../../components/email.tsx';
import { Ago, Moment } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { changePath } from '../../changes/change-words.ts';
import { CiLinks } from '../../cmdb/ci-links.tsx';
import { fieldNames, type Incident, valueText } from '../incident-words.ts';
import { PriorityBadge } from '../priority-badge.tsx';
import { StateLabel } from '../state-label.tsx';
import type { IncidentVersion } from '../use-incident.ts';
import { EditableField } from './editable-field.tsx';

interface DetailsPanelProps {
  version: IncidentVersion;
  onSaved(version: IncidentVersion): void;
}

export function DetailsPanel({ version, onSaved }: DetailsPanelProps) {
  const { incident } = version;
  const editable = (field: Parameters<typeof EditableField>[0]['field'], shown: ReactNode = text(incident, field)) => ({
    label: fieldNames[field],
    value: (
      <EditableField field={field} version={version} onSaved={onSaved}>
        {shown}
      </EditableField>
    ),
  });
  return (
    <Container header={<Header variant="h2">Details</Header>}>
      <KeyValuePairs
        columns={2}
        minColumnWidth={130}
        items={[
          { label: fieldNames.state, value: <StateLabel state={incident.state} /> },
          editable('priority', <PriorityBadge priority={incident.priority} />),
          editable('assignment_group'),
          editable('assigned_to'),
          editable('category'),
          editable('subcategory'),
          editable('impact'),
          editable('urgency'),
          ...(['ci_id', 'parent_problem_id', 'change_id', 'opened_by'] as const).map((field) => ({
            label: fieldNames[field],
            value: text(incident, field),
          })),
          { label: 'Created', value: <Moment at={incident.created_at} /> },
          { label: 'Updated', value: <Ago at={incident.updated_at} /> },
          ...when(incident.resolved_at, 'Resolved'),
          ...when(incident.closed_at, 'Closed'),
          ...(incident.reopen_count > 0 ? [{ label: fieldNames.reopen_count, value: incident.reopen_count }] : []),
        ]}
      />
    </Container>
  );
}

function text(incident: Incident, field: keyof Incident): ReactNode {
  const value = incident[field];
  if (value === null) return <Box color="text-status-inactive">–</Box>;
  if (field === 'ci_id') return <CiLinks ids={[String(value)]} />;
  if (field === 'change_id' && /^CHG/.test(String(value))) {
    return <PageLink to={changePath(String(value))}>{String(value)}</PageLink>;
  }
  if (field === 'assigned_to' || field === 'opened_by') return <Email address={String(value)} />;
  return <span className="wrapping">{valueText(field, value)}</span>;
}

function when(at: string | null, label: string) {
  return at === null ? [] : [{ label, value: <Moment at={at} /> }];
}
