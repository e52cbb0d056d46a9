import ContentLayout from '@cloudscape-design/components/content-layout';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useApi } from '../../base/api.ts';
import { ApiKeysPanel } from '../profile/api-keys.tsx';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { ClockPanel } from './clock-panel.tsx';
import { CurlPanel, HealthPanel, RateLimitPanel } from './service-panels.tsx';
import { SnippetsPanel } from './snippet.tsx';

const half = { default: 12, s: 6 } as const;

export function DeveloperPage() {
  const { config } = useApi();
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={`Instance ${config.service_instance} at ${config.base_url}`}>
          Developer
        </Header>
      }
    >
      <SpaceBetween size="l">
        <Grid gridDefinition={[{ colspan: half }, { colspan: half }]}>
          <HealthPanel />
          <CallerPanel />
        </Grid>
        <ClockPanel />
        <RateLimitPanel />
        <CurlPanel />
        <SnippetsPanel />
        <ApiKeysPanel />
      </SpaceBetween>
    </ContentLayout>
  );
}
