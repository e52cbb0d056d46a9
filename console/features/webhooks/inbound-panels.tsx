import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { useApi } from '../../app/api.ts';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Email, Moment } from '../../ui/text.tsx';
import { useAction } from '../../ui/use-action.ts';
import { incidentPath } from '../incidents/incident-words.ts';
import { toFilterDraft } from './filter-draft.ts';
import { FilterList } from './filters.tsx';
import { EventStatus } from './inbound-events.tsx';
import { RuleList } from './inbound-rules.tsx';
import { buildSamplePayload } from './sample-payload.ts';
import { ActiveLabel } from './webhook-page.tsx';
import {
  actionNames,
  type Filter,
  type InboundWebhook,
  inboundPath,
  type LabResult,
  operators,
} from './webhook-words.ts';

export function InboundFacts({ webhook }: { webhook: InboundWebhook }) {
  const mapping = Object.entries(webhook.field_mapping);
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Endpoint</Header>}>
        <SpaceBetween size="m">
          <span className="wrapping">
            <CopyToClipboard
              variant="inline"
              copyButtonAriaLabel="Copy URL"
              copySuccessText="Copied"
              copyErrorText="Could not copy"
              textToCopy={webhook.url}
            />
          </span>
          <KeyValuePairs
            columns={4}
            minColumnWidth={150}
            items={[
              { label: 'Status', value: <ActiveLabel active={webhook.active} /> },
              {
                label: 'Authentication',
                value: webhook.secret_enabled ? <SecretAge webhook={webhook} /> : 'None (URL only)',
              },
              { label: 'Created', value: <Moment at={webhook.created_at} /> },
              { label: 'Created by', value: <Email address={webhook.created_by} /> },
            ]}
          />
        </SpaceBetween>
      </Container>
      <Container header={<Header variant="h2">{actionNames[webhook.action]}</Header>}>
        <SpaceBetween size="l">
          <KeyValuePairs columns={3} minColumnWidth={180} items={targets(webhook)} />
          <SpaceBetween size="xxs">
            <Box variant="awsui-key-label">Field mapping</Box>
            {mapping.length === 0 && <Box color="text-status-inactive">No mapped fields.</Box>}
            <ul className="changes">
              {mapping.map(([field, template]) => (
                <li key={field} className="wrapping">
                  <strong>{field}</strong> <code>{template}</code>
                </li>
              ))}
            </ul>
          </SpaceBetween>
          <SpaceBetween size="xxs">
            <Box variant="awsui-key-label">Filters</Box>
            <FilterList filters={webhook.filters} />
          </SpaceBetween>
          {webhook.rules.length > 0 && (
            <SpaceBetween size="xxs">
              <Box variant="awsui-key-label">Rules</Box>
              <RuleList rules={webhook.rules} />
            </SpaceBetween>
          )}
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}

function SecretAge({ webhook }: { webhook: InboundWebhook }) {
  return (
    <>
      Secret{webhook.secret_created_at && <> created {webhook.secret_created_at.slice(0, 10)}</>}
      {webhook.previous_secret_until && (
        <Box color="text-body-secondary" fontSize="body-s">
          Previous secret valid until <Moment at={webhook.previous_secret_until} />
        </Box>
      )}
    </>
  );
}

function targets({ incident_id, dedup_key, dedup_scope }: InboundWebhook) {
  return [
    ...(incident_id === null ? [] : [{ label: 'Incident', value: <code>{incident_id}</code> }]),
    { label: 'Deduplication key', value: dedup_key === null ? 'None' : <code className="wrapping">{dedup_key}</code> },
    ...(dedup_scope === null
      ? []
      : [{ label: 'Key scope', value: <PageLink to={inboundPath(dedup_scope)}>{dedup_scope}</PageLink> }]),
  ];
}

const columns = [{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }];

/** Shows the result of a payload without changing data. */
export function LabPanel({ webhook }: { webhook: InboundWebhook }) {
  const { client } = useApi();
  const [text, setText] = useState(() => JSON.stringify(buildSamplePayload(webhook), null, 2));
  const [result, setResult] = useState<LabResult>();
  const [mistake, setMistake] = useState<string>();
  const action = useAction();
  const latest = async () => {
    const { data } = await client.listInboundEvents({ id: webhook.id, limit: 1 });
    if (!data[0]) throw new Error('No events received yet.');
    const { payload } = await client.getInboundEvent({ id: webhook.id, event_id: data[0].id });
    setText(JSON.stringify(payload, null, 2));
  };
  const attempt = async () => {
    const payload = parsed(text);
    setResult(undefined);
    setMistake('mistake' in payload ? payload.mistake : undefined);
    if ('mistake' in payload) return;
    await action.run(async () => setResult(await client.testInboundWebhook({ id: webhook.id }, payload)));
  };
  return (
    <Grid gridDefinition={columns}>
      <Container
        header={
          <Header variant="h2" actions={<Button onClick={() => action.run(latest)}>Use last event</Button>}>
            {' '}
            Payload{' '}
          </Header>
        }
      >
        <SpaceBetween size="m">
          <FormField label="JSON" errorText={mistake} stretch>
            <div className="code">
              <Textarea rows={16} spellcheck={false} value={text} onChange={({ detail }) => setText(detail.value)} />
            </div>
          </FormField>
          <Button variant="primary" loading={action.busy} onClick={attempt}>
            {' '}
            Test{' '}
          </Button>
        </SpaceBetween>
      </Container>
      <Container header={<Header variant="h2">Result</Header>}>
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {action.problem === undefined && !result && (
          <Box color="text-status-inactive">Test a payload without changing any data.</Box>
        )}
        {action.problem === undefined && result && <LabResultView result={result} />}
      </Container>
    </Grid>
  );
}

function parsed(text: string): { payload: unknown } | { mistake: string } {
  try {
    return { payload: JSON.parse(text) };
  } catch (error) {
    return { mistake: `Invalid JSON: ${(error as Error).message}` };
  }
}

export function LabResultView({ result }: { result: LabResult }) {
  const { incident_id: incident } = result;
  return (
    <SpaceBetween size="l">
      <KeyValuePairs
        columns={3}
        minColumnWidth={120}
        items={[
          { label: 'Result', value: <EventStatus status={result.status} tense="preview" /> },
          { label: 'Deduplication key', value: <span className="wrapping">{result.dedup_key ?? '–'}</span> },
          {
            label: 'Incident',
            value: incident === null ? '–' : <PageLink to={incidentPath(incident)}>{incident}</PageLink>,
          },
        ]}
      />
      {result.passed && result.errors.length > 0 && (
        <Alert type="error" header="The sender would receive 422. The event is retained so that you can replay it.">
          {result.errors.map(({ field, message }) => (
            <div key={`${field} ${message}`}>
              <strong>{field}</strong> {message}
            </div>
          ))}
        </Alert>
      )}
      {result.filters.length > 0 && <Filters filters={result.filters as readonly FilterResult[]} />}
      <SpaceBetween size="xxs">
        <Box variant="awsui-key-label">Fields</Box>
        <ul className="changes">
          {Object.entries(result.rendered).map(([field, text]) => (
            <li key={field} className="wrapping">
              <strong>{field}</strong>{' '}
              {text === '' ? (
                <Box variant="span" color="text-status-inactive">
                  empty (not set)
                </Box>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      </SpaceBetween>
    </SpaceBetween>
  );
}

type FilterResult = Filter & { actual: unknown; passed: boolean };

function Filters({ filters }: { filters: readonly FilterResult[] }) {
  return (
    <SpaceBetween size="xxs">
      <Box variant="awsui-key-label">Filters</Box>
      <ul className="changes">
        {filters.map(({ actual, passed, ...filter }) => (
          <li key={JSON.stringify(filter)} className="wrapping">
            <StatusIndicator type={passed ? 'success' : 'stopped'}>
              <code>{filter.field}</code> {operators[filter.operator]} <strong>{toFilterDraft(filter).value}</strong>
              {!passed && <> (actual value: {JSON.stringify(actual)})</>}
            </StatusIndicator>
          </li>
        ))}
      </ul>
    </SpaceBetween>
  );
}
