import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { topicNames } from '../../resources/notification-words.ts';
import { Panel } from '../../ui/layouts.tsx';
import { notify } from '../../ui/notices.ts';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type ContactMethod, formatMethod, useContactMethods } from './contact-methods.tsx';

type Rules = Awaited<ReturnType<ServiceClient['getNotificationRules']>>;
type Step = Rules['pages'][number];
type Topic = Rules['topics'][number];

/** Which contact method is used at once, and which after some minutes without an acknowledgement. */
export function NotificationRulesPanel() {
  const { client } = useApi();
  const methods = useContactMethods();
  const rules = useLoad(['notification-rules'], (signal) => client.getNotificationRules({}, { signal }));
  const problem = rules.problem ?? methods.problem;
  return (
    <Panel
      title="Notification rules"
      description="Which contact method is used at once, and which after some minutes without an acknowledgement."
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={rules.reload} />}
      {!(rules.data && methods.data) && problem === undefined && <FactsSkeleton facts={3} label="Loading rules" />}
      {rules.data && methods.data && (
        <RulesForm
          // New rules of the service replace the draft.
          key={JSON.stringify([rules.data, methods.data.contact_methods.map(({ id }) => id)])}
          rules={rules.data}
          methods={methods.data.contact_methods.filter(({ is_verified }) => is_verified)}
        />
      )}
    </Panel>
  );
}

function RulesForm({ rules, methods }: { rules: Rules; methods: readonly ContactMethod[] }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [pages, setPages] = useState<readonly Step[]>(rules.pages);
  const [notifications, setNotifications] = useState<readonly Step[]>(rules.notifications);
  const [topics, setTopics] = useState<readonly Topic[]>(rules.topics);
  const action = useAction();
  const save = (given: Parameters<typeof client.updateNotificationRules>[0], content: string) =>
    action.run(async () => {
      queries.setQueryData(['notification-rules'], await client.updateNotificationRules(given));
      notify({ type: 'success', content });
    });
  const toggle = (topic: Topic, isOn: boolean) =>
    setTopics(isOn ? [...topics, topic] : topics.filter((each) => each !== topic));
  return (
    <SpaceBetween size="l">
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Steps label="Pages" steps={pages} methods={methods} onChange={setPages} />
      <Steps label="Other notifications" steps={notifications} methods={methods} onChange={setNotifications} />
      <FormField label="Send these notifications" stretch>
        <ColumnLayout columns={2}>
          {Object.entries(topicNames).map(([topic, name]) => (
            <Checkbox
              key={topic}
              checked={topics.includes(topic as Topic)}
              onChange={({ detail }) => toggle(topic as Topic, detail.checked)}
            >
              {name}
            </Checkbox>
          ))}
        </ColumnLayout>
      </FormField>
      <SpaceBetween direction="horizontal" size="xs">
        <Button
          variant="primary"
          loading={action.busy}
          onClick={() =>
            save(
              { pages: [...pages], notifications: [...notifications], topics: [...topics] },
              'Notification rules saved.',
            )
          }
        >
          Save rules
        </Button>
        <Button
          disabled={action.busy}
          onClick={() =>
            save({ pages: null, notifications: null, topics: null }, 'The default notification rules apply.')
          }
        >
          Use defaults
        </Button>
      </SpaceBetween>
    </SpaceBetween>
  );
}

const delays = [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 120, 240, 480, 1_440];

interface StepsProps {
  label: string;
  steps: readonly Step[];
  methods: readonly ContactMethod[];
  onChange(steps: readonly Step[]): void;
}

function Steps({ label, steps, methods, onChange }: StepsProps) {
  const replace = (place: number, part: Partial<Step>) =>
    onChange(steps.map((each, index) => (index === place ? { ...each, ...part } : each)));
  const methodOptions = methods.map((method) => ({ value: method.id, label: formatMethod(method) }));
  const [first] = methods;
  return (
    <FormField label={label} stretch>
      <AttributeEditor
        items={steps}
        addButtonText={`Add step to ${label.toLowerCase()}`}
        removeButtonText="Remove"
        removeButtonAriaLabel={({ method_id }: Step) =>
          `Remove ${methodOptions.find(({ value }) => value === method_id)?.label ?? 'step'} from ${label.toLowerCase()}`
        }
        disableAddButton={first === undefined || steps.length >= 20}
        empty="Nothing is sent."
        onAddButtonClick={() =>
          first && onChange([...steps, { method_id: first.id, after_minutes: findFreeDelay(steps) }])
        }
        onRemoveButtonClick={({ detail }) => onChange(steps.filter((_, place) => place !== detail.itemIndex))}
        definition={[
          {
            label: 'Contact method',
            control: ({ method_id }: Step, place: number) => (
              <Select
                selectedOption={methodOptions.find(({ value }) => value === method_id) ?? null}
                options={methodOptions}
                onChange={({ detail }) => replace(place, { method_id: detail.selectedOption.value ?? method_id })}
              />
            ),
          },
          {
            label: 'When',
            control: ({ after_minutes }: Step, place: number) => (
              <Select
                selectedOption={{ value: String(after_minutes), label: formatDelay(after_minutes) }}
                options={delays.map((minutes) => ({ value: String(minutes), label: formatDelay(minutes) }))}
                onChange={({ detail }) => replace(place, { after_minutes: Number(detail.selectedOption.value) })}
              />
            ),
          },
        ]}
      />
    </FormField>
  );
}

/** A later step than the last one. */
function findFreeDelay(steps: readonly Step[]): number {
  const last = Math.max(-1, ...steps.map(({ after_minutes }) => after_minutes));
  return delays.find((minutes) => minutes > last) ?? 0;
}

function formatDelay(minutes: number): string {
  if (minutes === 0) return 'At once';
  if (minutes % 60 === 0) return `After ${minutes / 60} ${minutes === 60 ? 'hour' : 'hours'}`;
  return `After ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
}
