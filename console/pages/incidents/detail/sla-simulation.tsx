import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useCallback, useState } from 'react';
import type { Priority } from '../../../../contract/states.ts';
import { useApi } from '../../../api.ts';
import { ProblemView } from '../../../components/problem-view.tsx';
import { durationText, momentText } from '../../../time-text.ts';
import { useLoad } from '../../../use-load.ts';
import { priorities, priorityNames } from '../incident-words.ts';
import type { SlaView } from './sla-figures.ts';

/** What another priority would mean, before anybody changes it. */
export function SlaSimulation({ sla }: { sla: SlaView }) {
  const [priority, setPriority] = useState<Priority>();
  const options = priorities
    .filter((value) => value !== sla.priority)
    .map((value) => ({ value, label: priorityNames[value] }));
  return (
    <SpaceBetween size="xs">
      <FormField label="Preview another priority">
        <Select
          placeholder="Choose a priority"
          selectedOption={options.find(({ value }) => value === priority) ?? null}
          options={options}
          onChange={({ detail }) => setPriority(detail.selectedOption.value as Priority)}
        />
      </FormField>
      {priority && priority !== sla.priority && <Simulated id={sla.incident_id} priority={priority} key={sla.at} />}
    </SpaceBetween>
  );
}

function Simulated({ id, priority }: { id: string; priority: Priority }) {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => client.getIncidentSla({ id, simulate: `priority:${priority}` }, { signal }),
    [client, id, priority],
  );
  const { data, problem, reload } = useLoad(load);
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (data?.priority !== priority) return <StatusIndicator type="loading">Calculating</StatusIndicator>;
  const target = `target ${durationText(data.target_minutes * 60_000)}`;
  if (data.breached) {
    return (
      <StatusIndicator type="error">
        Breached by {durationText(data.remaining_ms)} ({target})
      </StatusIndicator>
    );
  }
  const until = data.breach_at ? `, until ${momentText(data.breach_at)}` : '';
  return (
    <StatusIndicator type={data.used_percent >= 75 ? 'warning' : 'success'}>
      {durationText(data.remaining_ms)} left{until} ({target})
    </StatusIndicator>
  );
}
