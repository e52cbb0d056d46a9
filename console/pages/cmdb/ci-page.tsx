import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback } from 'react';
import { useApi } from '../../api.ts';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { Ago, Moment } from '../../components/moment.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { useLoad } from '../../use-load.ts';
import { JsonView } from '../webhooks/parts/json-view.tsx';
import { CiStatusLabel } from './ci-status.tsx';
import { type Ci, ciPath, relationNames } from './ci-words.ts';
import { ImpactPanels } from './impact-panels.tsx';

export function CiPage({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getCi({ id }, { signal }), [client, id]);
  const { data, problem, reload } = useLoad(load);
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={data ? `${data.class} · ${id}` : id}>
          {data?.name ?? 'Configuration item'}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {!data && problem === undefined && (
          <Container>
            <FactsSkeleton facts={6} label="Loading the configuration item" />
          </Container>
        )}
        {data && <Facts ci={data} />}
        {data && <ImpactPanels id={id} />}
        {data && Object.keys(data.attributes).length > 0 && (
          <Container>
            <JsonView title="Attributes" value={data.attributes} />
          </Container>
        )}
      </SpaceBetween>
    </ContentLayout>
  );
}

function Facts({ ci }: { ci: Ci }) {
  return (
    <Container header={<Header variant="h2">Details</Header>}>
      <KeyValuePairs
        columns={4}
        minColumnWidth={150}
        items={[
          { label: 'Status', value: <CiStatusLabel status={ci.status} /> },
          { label: 'Environment', value: ci.environment ?? '–' },
          { label: 'Owner', value: <span className="wrapping">{ci.owner ?? '–'}</span> },
          { label: 'Location', value: <span className="wrapping">{ci.location ?? '–'}</span> },
          { label: 'Address', value: ci.ip_address ?? '–' },
          {
            label: 'Discovered',
            value: ci.discovered_at === null ? 'Entered by hand' : <Moment at={ci.discovered_at} />,
          },
          { label: 'Changed', value: <Ago at={ci.updated_at} /> },
          { label: 'Relations', value: <Relations ci={ci} /> },
        ]}
      />
    </Container>
  );
}

function Relations({ ci }: { ci: Ci }) {
  if (ci.relations.length === 0) return <Box color="text-status-inactive">None</Box>;
  return (
    <ul className="changes">
      {ci.relations.map(({ type, ci_id }) => (
        <li key={`${type} ${ci_id}`}>
          {relationNames[type]} <PageLink to={ciPath(ci_id)}>{ci_id}</PageLink>
        </li>
      ))}
    </ul>
  );
}
