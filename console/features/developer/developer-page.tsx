import { useApi } from '../../base/api.ts';
import { Columns, Stack } from '../../ui/kit/index.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { ApiKeysPanel } from '../profile/api-keys.tsx';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { OutboxPanel } from './outbox-panel.tsx';
import { CurlPanel, HealthPanel, RateLimitPanel } from './service-panels.tsx';
import { SnippetsPanel } from './snippet.tsx';

export function DeveloperPage() {
  const { config } = useApi();
  return (
    <PageLayout title="Developer" description={`Instance ${config.service_instance} at ${config.base_url}`}>
      <Stack>
        <Columns>
          <HealthPanel />
          <CallerPanel />
        </Columns>
        <ClockPanel />
        <OutboxPanel />
        <RateLimitPanel />
        <CurlPanel />
        <SnippetsPanel />
        <ApiKeysPanel />
      </Stack>
    </PageLayout>
  );
}
