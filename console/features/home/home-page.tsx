import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import type { ServiceClient } from '../../../client/index.ts';
import { openIncidentStates } from '../../../contract/states.ts';
import { useApi } from '../../app/api.ts';
import { useCaller } from '../../app/caller.tsx';
import { useLoad } from '../../records/use-load.ts';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { CallerPanel } from '../profile/caller-panel.tsx';
import { CurlPanel, HealthPanel, RateLimitPanel } from './service-panels.tsx';

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

interface Question {
  label: string;
  /** The list that the number leads to. */
  list: 'incidents' | 'changes' | 'requests' | 'cis';
  filters: Readonly<Record<string, string>>;
}

const open = { state: openIncidentStates.join(',') };

const questions = (email: string): readonly Question[] => [
  { label: 'Open incidents', list: 'incidents', filters: open },
  { label: 'Open P1 and P2', list: 'incidents', filters: { ...open, priority: 'P1,P2' } },
  { label: 'Assigned to me', list: 'incidents', filters: { ...open, assigned_to: email } },
  { label: 'Changes to approve', list: 'changes', filters: { state: 'submitted' } },
  { label: 'Requests to approve', list: 'requests', filters: { state: 'submitted' } },
  { label: 'Degraded or down items', list: 'cis', filters: { status: 'degraded,down' } },
];

const polling = { intervalMs: 30_000, maxIntervalMs: 240_000, maxPolls: 120 };

/** The number of open items, with links. Empty for users without a role; another panel tells them why. */
export function WaitingPanel() {
  const { data: caller } = useCaller();
  return caller ? <Waiting email={caller.email} /> : null;
}

function Waiting({ email }: { email: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(
    ['totals', email],
    (signal) => Promise.all(questions(email).map((question) => loadTotal(client, question, signal))),
    { polling },
  );
  return (
    <Container header={<Header variant="h2">Needs attention</Header>}>
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <KeyValuePairs
        columns={3}
        minColumnWidth={120}
        items={questions(email).map(({ label, list, filters }, place) => ({
          label,
          value: (
            <PageLink to={`/${list}?${query(filters)}`} fontSize="heading-l" variant="secondary">
              {data?.[place]?.toLocaleString('en') ?? <Box variant="span">–</Box>}
            </PageLink>
          ),
        }))}
      />
    </Container>
  );
}

const query = (filters: Question['filters']) =>
  new URLSearchParams(filters).toString().replaceAll('%2C', ',').replaceAll('%40', '@');

async function loadTotal(client: ServiceClient, { list, filters }: Question, signal: AbortSignal): Promise<number> {
  const asked = { ...filters, limit: 1 };
  switch (list) {
    case 'incidents':
      return (await client.listIncidents(asked, { signal })).total;
    case 'changes':
      return (await client.listChanges(asked, { signal })).total;
    case 'requests':
      return (await client.listRequests(asked, { signal })).total;
    case 'cis':
      return (await client.listCis(asked, { signal })).total;
  }
}
