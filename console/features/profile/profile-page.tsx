import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../base/api.ts';
import { usePreferences } from '../../base/preferences.ts';
import { browserTimeZone } from '../../base/time-zone.ts';
import { FormField, Select, Stack } from '../../ui/kit/index.ts';
import { PageLayout, Panel } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { ApiKeysPanel } from './api-keys.tsx';
import { CallerPanel } from './caller-panel.tsx';
import { ContactMethodsPanel } from './contact-methods.tsx';
import { NotificationRulesPanel } from './notification-rules.tsx';

export function ProfilePage() {
  return (
    <PageLayout title="Profile">
      <Stack>
        <CallerPanel />
        <TimeZonePanel />
        <ContactMethodsPanel />
        <NotificationRulesPanel />
        <ApiKeysPanel />
      </Stack>
    </PageLayout>
  );
}

const zones = [
  { value: '', label: `Browser (${browserTimeZone})` },
  ...['UTC', ...Intl.supportedValuesOf('timeZone')].map((value) => ({ value, label: value })),
];

function TimeZonePanel() {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data } = usePreferences();
  const action = useAction();
  const change = (zone: string) =>
    action.run(async () => {
      const after = await client.updatePreferences({ time_zone: zone === '' ? null : zone });
      queries.setQueryData(['preferences'], after);
    });
  return (
    <Panel title="Time zone">
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <FormField label="Show times in">
        <Select
          value={data?.time_zone ?? ''}
          options={zones}
          disabled={!data || action.busy}
          filter={{ label: 'Find a time zone' }}
          onChange={change}
        />
      </FormField>
    </Panel>
  );
}
