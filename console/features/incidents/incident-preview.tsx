import { useQueryClient } from '@tanstack/react-query';
import { PriorityBadge, SlaLabel, StateLabel } from '../../resources/incident-labels.tsx';
import { type Incident, incidentPath } from '../../resources/incident-words.ts';
import { Button, KeyValues, Row, Stack } from '../../ui/kit/index.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { noValue, Person } from '../../ui/text.tsx';
import { EditableField } from './details-panel.tsx';
import { IncidentActions } from './incident-actions.tsx';
import { type IncidentVersion, useIncident } from './incident-change.tsx';
import { IncidentTimeline } from './incident-timeline.tsx';

/** An incident beside the list, to read, answer and change. */
export function IncidentPreview({ incident: listed }: { incident: Incident }) {
  const queries = useQueryClient();
  const current = useIncident(listed.id, 'existing');
  const version: IncidentVersion = current.data ?? { record: listed, etag: undefined };
  const { id, priority, assignment_group, assigned_to, description } = version.record;
  const show = (saved: IncidentVersion) => {
    current.show(saved);
    void queries.invalidateQueries({ queryKey: ['incidents'] });
  };
  const toFact = (field: 'priority' | 'assignment_group' | 'assigned_to', label: string, value: React.ReactNode) => ({
    label,
    value: (
      <EditableField key={`${id} ${field}`} field={field} version={version} onSaved={show}>
        {value}
      </EditableField>
    ),
  });
  return (
    <Stack gap="m">
      <Row gap="s">
        <StateLabel state={version.record.state} />
        <SlaLabel incident={version.record} />
        <Button to={incidentPath(id)} variant="link">
          Open incident
        </Button>
      </Row>
      <IncidentActions version={version} onSaved={show} />
      <KeyValues
        columns={2}
        items={[
          toFact('priority', 'Priority', <PriorityBadge priority={priority} />),
          toFact('assignment_group', 'Team', assignment_group ?? noValue),
          toFact('assigned_to', 'Assignee', assigned_to ? <Person address={assigned_to} /> : noValue),
          { label: 'Requester', value: <Person address={version.record.opened_by} /> },
        ]}
      />
      {description !== null && <Markdown source={description} />}
      <IncidentTimeline key={id} version={version} which="existing" onAdded={current.reload} />
    </Stack>
  );
}
