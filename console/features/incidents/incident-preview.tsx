import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { PriorityBadge, SlaLabel, StateLabel } from '../../resources/incident-labels.tsx';
import { type Incident, incidentPath } from '../../resources/incident-words.ts';
import { PageButton } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Ago, noValue, Person } from '../../ui/text.tsx';

/** An incident beside the list. */
export function IncidentPreview({ incident }: { incident: Incident }) {
  const { id, priority, state, assignment_group, assigned_to, opened_by, created_at, description } = incident;
  return (
    <SpaceBetween size="l">
      <SpaceBetween direction="horizontal" size="s" alignItems="center">
        <PriorityBadge priority={priority} />
        <StateLabel state={state} />
        <SlaLabel incident={incident} />
      </SpaceBetween>
      <KeyValuePairs
        columns={2}
        items={[
          { label: 'Group', value: assignment_group ?? noValue },
          { label: 'Assigned to', value: assigned_to ? <Person address={assigned_to} /> : noValue },
          { label: 'Requester', value: <Person address={opened_by} /> },
          { label: 'Created', value: <Ago at={created_at} /> },
        ]}
      />
      {description !== null && <Markdown source={description} />}
      <PageButton to={incidentPath(id)}>Open incident</PageButton>
    </SpaceBetween>
  );
}
