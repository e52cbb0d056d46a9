import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { incidentPath } from '../../resources/incident-words.ts';
import { type Filter, type InboundWebhook, type LabResult, operators } from '../../resources/webhook-words.ts';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { toFilterDraft } from './filter-draft.ts';
import { type InboundDraft, toSettings } from './inbound-draft.ts';
import { EventStatus } from './inbound-events.tsx';
import { buildSamplePayload } from './sample-payload.ts';

/** Tests a stored webhook. */
export function LabPanel({ webhook }: { webhook: InboundWebhook }) {
  const { client } = useApi();
  const { id } = webhook;
  const loadLatest = async () => {
    const { data } = await client.listInboundEvents({ id, limit: 1 });
    if (!data[0]) throw new Error('No events received yet.');
    return (await client.getInboundEvent({ id, event_id: data[0].id })).payload;
  };
  return (
    <Lab
      source="Use last event"
      load={loadLatest}
      buildSample={() => buildSamplePayload(webhook)}
      test={(payload) => client.testInboundWebhook({ id }, { payload })}
    />
  );
}

/** Tests the settings in the form before they are saved. */
export function DraftLab({ draft }: { draft: InboundDraft }) {
  const { client } = useApi();
  const settings = toSettings({ ...draft, name: draft.name.trim() || 'New webhook' });
  return (
    <Lab
      source="Build from mapping"
      load={async () => buildSamplePayload(settings)}
      buildSample={() => buildSamplePayload(settings)}
      test={(payload) => client.previewInboundWebhook({ payload, settings })}
    />
  );
}

const columns = [{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }];

interface LabProps {
  /** The text of the button that loads another payload. */
  source: string;
  load(): Promise<unknown>;
  buildSample(): unknown;
  test(payload: unknown): Promise<LabResult>;
}

/** Shows the result of a payload without changing data. */
function Lab({ source, load, buildSample, test }: LabProps) {
  const [text, setText] = useState(() => formatJson(buildSample()));
  const [result, setResult] = useState<LabResult>();
  const [mistake, setMistake] = useState<string>();
  const action = useAction();
  const attempt = async () => {
    const parsed = parseJson(text);
    setResult(undefined);
    setMistake('mistake' in parsed ? parsed.mistake : undefined);
    if ('mistake' in parsed) return;
    await action.run(async () => setResult(await test(parsed.payload)));
  };
  return (
    <Grid gridDefinition={columns}>
      <Container
        header={
          <Header
            variant="h2"
            actions={
              <Button formAction="none" onClick={() => action.run(async () => setText(formatJson(await load())))}>
                {source}
              </Button>
            }
          >
            Payload
          </Header>
        }
      >
        <SpaceBetween size="m">
          <FormField label="JSON" errorText={mistake} stretch>
            <div className="code">
              <Textarea rows={16} spellcheck={false} value={text} onChange={({ detail }) => setText(detail.value)} />
            </div>
          </FormField>
          <Button formAction="none" loading={action.busy} onClick={attempt}>
            Test
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

const formatJson = (value: unknown) => JSON.stringify(value, null, 2);

function parseJson(text: string): { payload: unknown } | { mistake: string } {
  try {
    return { payload: JSON.parse(text) };
  } catch (error) {
    return { mistake: `Invalid JSON: ${(error as Error).message}` };
  }
}

function LabResultView({ result }: { result: LabResult }) {
  const { incident_id: incident } = result;
  return (
    <SpaceBetween size="l">
      <KeyValuePairs
        columns={2}
        minColumnWidth={150}
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
      <Box variant="awsui-key-label">Filters and conditions</Box>
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
