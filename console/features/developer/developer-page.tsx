import Grid from '@cloudscape-design/components/grid';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useApi } from '../../base/api.ts';
import { PageLayout } from '../../ui/layouts.tsx';
import { ApiKeysPanel } from '../profile/api-keys.tsx';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { OutboxPanel } from './outbox-panel.tsx';
import { CurlPanel, HealthPanel, RateLimitPanel } from './service-panels.tsx';
import { SnippetsPanel } from './snippet.tsx';

const half = { default: 12, s: 6 } as const;

export function DeveloperPage() {
  const { config } = useApi();
  return (
    <PageLayout title="Developer" description={`Instance ${config.service_instance} at ${config.base_url}`}>
      <SpaceBetween size="l">
        <Grid gridDefinition={[{ colspan: half }, { colspan: half }]}>
          <HealthPanel />
          <CallerPanel />
        </Grid>
        <ClockPanel />
        <OutboxPanel />
        <RateLimitPanel />
        <CurlPanel />
        <SnippetsPanel />
        <ApiKeysPanel />
      </SpaceBetween>
    </PageLayout>
  );
}
