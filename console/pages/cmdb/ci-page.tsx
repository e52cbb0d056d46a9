import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useState } from 'react';
import { useApi } from '../../api.ts';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { Ago, Moment } from '../../components/moment.tsx';
import { PageButton } from '../../components/page-button.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { navigate } from '../../location.ts';
import { notify } from '../../notices.ts';
import { collectPages } from '../../pages-of.ts';
import { ActionModal } from '../../records/action-modal.tsx';
import { HistoryPanel } from '../../records/history-panel.tsx';
import { historyWords } from '../../records/record-words.ts';
import { useLoad } from '../../use-load.ts';
import { useMay } from '../../use-may.ts';
import { JsonView } from '../webhooks/parts/json-view.tsx';
import { CiLink } from './ci-links.tsx';
import { CiStatusLabel } from './ci-status.tsx';
import { type Ci, ciList, ciPath, ciWords, relationNames } from './ci-words.ts';
import { ImpactPanels } from './impact-panels.tsx';
import { useCis } from './use-cis.ts';

export function CiPage({ id }: { id: string }) {
  const { client } = useApi();
  const load = useCallback((signal: AbortSignal) => client.getCi.withResponse({ id }, { signal }), [client, id]);
  const history = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listCiHistory({ id, ...page }, { signal })),
    [client, id],
  );
  const { data: version, problem, reload } = useLoad(load);
  const ci = version?.data;
  return (
    <ContentLayout
      header={
        <Header
          variant="h1"
          description={ci ? `${ci.class} · ${id}` : id}
          actions={ci && <Actions ci={ci} etag={version.etag} />}
        >
          <span className="wrapping">{ci?.name ?? 'Configuration item'}</span>
        </Header>
      }
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {!ci && problem === undefined && (
          <Container>
            <FactsSkeleton facts={6} label="Loading configuration item" />
          </Container>
        )}
        {ci && <Facts ci={ci} />}
        {ci && <ImpactPanels id={id} />}
        {ci && Object.keys(ci.attributes).length > 0 && (
          <Container>
            <JsonView title="Attributes" value={ci.attributes} />
          </Container>
        )}
        {ci && (
          <Container header={<Header variant="h2">History</Header>}>
            <HistoryPanel load={history} words={historyWords(ciWords, ['discovered_at', 'deleted'])} />
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
          { label: 'IP address', value: ci.ip_address ?? '–' },
          {
            label: 'Discovered',
            value: ci.discovered_at === null ? 'Added manually' : <Moment at={ci.discovered_at} />,
          },
          { label: 'Updated', value: <Ago at={ci.updated_at} /> },
          { label: 'Relations', value: <Relations ci={ci} /> },
        ]}
      />
    </Container>
  );
}

function Relations({ ci }: { ci: Ci }) {
  const cis = useCis(ci.relations.map(({ ci_id }) => ci_id));
  if (ci.relations.length === 0) return <Box color="text-status-inactive">None</Box>;
  return (
    <ul className="changes">
      {ci.relations.map(({ type, ci_id }) => (
        <li key={`${type} ${ci_id}`}>
          {relationNames[type]} <CiLink id={ci_id} cis={cis} />
        </li>
      ))}
    </ul>
  );
}

/** What the reader's role allows, done to the version that is shown. */
function Actions({ ci, etag }: { ci: Ci; etag: string | undefined }) {
  const { client } = useApi();
  const mayWrite = useMay('itsm_agent') && !ci.deleted;
  const mayDelete = useMay('itsm_manager') && !ci.deleted;
  const [deleting, setDeleting] = useState(false);
  const remove = async () => {
    await client.deleteCi({ id: ci.id }, etag ? { ifMatch: etag } : {});
    notify({ type: 'success', content: `${ci.name} was deleted.` });
    navigate(ciList);
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {mayWrite && (
        <PageButton to={`${ciPath(ci.id)}/edit`} iconName="edit">
          Edit
        </PageButton>
      )}
      {mayDelete && <Button iconName="remove" ariaLabel="Delete" onClick={() => setDeleting(true)} />}
      {deleting && (
        <ActionModal title={`Delete ${ci.name}?`} confirmText="Delete" run={remove} onClose={() => setDeleting(false)}>
          <Box>The item is removed from all lists and dependency views. A record is retained for audit.</Box>
        </ActionModal>
      )}
    </SpaceBetween>
  );
}
