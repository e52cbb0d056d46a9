import ContentLayout from '@cloudscape-design/components/content-layout';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import { useApi } from '../../api.ts';
import { CallerPanel } from './caller-panel.tsx';
import { CurlPanel } from './curl-panel.tsx';
import { HealthPanel } from './health-panel.tsx';
import { RateLimitPanel } from './rate-limit-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

const half = { default: 12, s: 6 } as const;

export function HomePage() {
  const { config } = useApi();
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={`Instance ${config.service_instance} at ${config.base_url}`}>
          Overview
        </Header>
      }
    >
      <Grid gridDefinition={[{ colspan: 12 }, { colspan: half }, { colspan: half }, { colspan: 12 }, { colspan: 12 }]}>
        <WaitingPanel />
        <HealthPanel />
        <CallerPanel />
        <RateLimitPanel />
        <CurlPanel />
      </Grid>
    </ContentLayout>
  );
}
