import ContentLayout from '@cloudscape-design/components/content-layout';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import { useApi } from '../../app/api.ts';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { CurlPanel, HealthPanel, RateLimitPanel } from './service-panels.tsx';

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
      <Grid gridDefinition={[{ colspan: half }, { colspan: half }, { colspan: 12 }, { colspan: 12 }]}>
        <HealthPanel />
        <CallerPanel />
        <RateLimitPanel />
        <CurlPanel />
      </Grid>
    </ContentLayout>
  );
}
