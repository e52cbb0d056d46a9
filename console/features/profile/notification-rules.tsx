import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { topicNames } from '../../resources/notification-words.ts';
import { AttributeEditor, Button, Checkbox, Columns, FormField, Row, Select, Stack } from '../../ui/kit/index.ts';
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
    <Stack>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Steps label="Pages" steps={pages} methods={methods} onChange={setPages} />
      <Steps label="Other notifications" steps={notifications} methods={methods} onChange={setNotifications} />
      <FormField label="Send these notifications" stretch>
        <Columns count={2}>
          {Object.entries(topicNames).map(([topic, name]) => (
            <Checkbox
              key={topic}
              checked={topics.includes(topic as Topic)}
              onChange={(checked) => toggle(topic as Topic, checked)}
            >
              {name}
            </Checkbox>
          ))}
        </Columns>
      </FormField>
      <Row>
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
      </Row>
    </Stack>
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
        addText={`Add step to ${label.toLowerCase()}`}
        removeLabel={({ method_id }: Step) =>
          `Remove ${methodOptions.find(({ value }) => value === method_id)?.label ?? 'step'} from ${label.toLowerCase()}`
        }
        empty="Nothing is sent."
        onAdd={
          first && steps.length < 20
            ? () => onChange([...steps, { method_id: first.id, after_minutes: findFreeDelay(steps) }])
            : undefined
        }
        onChange={onChange}
        columns={[
          {
            label: 'Contact method',
            control: ({ method_id }: Step, place: number) => (
              <Select
                value={method_id}
                options={methodOptions}
                onChange={(value) => replace(place, { method_id: value })}
              />
            ),
          },
          {
            label: 'When',
            control: ({ after_minutes }: Step, place: number) => (
              <Select
                value={String(after_minutes)}
                options={delays.map((minutes) => ({ value: String(minutes), label: formatDelay(minutes) }))}
                onChange={(value) => replace(place, { after_minutes: Number(value) })}
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
