import { useEffect, useState } from 'react';
import { useApi } from '../../base/api.ts';
import { incidentPath } from '../../resources/incident-words.ts';
import { type Filter, type InboundWebhook, type LabResult, operators } from '../../resources/webhook-words.ts';
import {
  Alert,
  Box,
  Button,
  Columns,
  Container,
  FormField,
  Header,
  KeyValues,
  Stack,
  Status,
  Textarea,
} from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { toFilterDraft } from './filter-draft.ts';
import { type InboundDraft, toSettings } from './inbound-draft.ts';
import { EventStatus } from './inbound-events.tsx';
import { buildSamplePayload, useSample } from './sample-payload.ts';

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
      sample={useSample(webhook)}
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
      sample={useSample(settings)}
      test={(payload) => client.previewInboundWebhook({ payload, settings })}
    />
  );
}

interface LabProps {
  /** The text of the button that loads another payload. */
  source: string;
  load(): Promise<unknown>;
  /** The first payload; a preset brings its own. Undefined until it is loaded. */
  sample: unknown;
  test(payload: unknown): Promise<LabResult>;
}

/** Shows the result of a payload without changing data. */
function Lab({ source, load, sample, test }: LabProps) {
  const [text, setText] = useState('');
  useEffect(() => {
    if (sample !== undefined) setText(formatJson(sample));
  }, [sample]);
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
    <Columns>
      <Container
        header={
          <Header
            actions={
              <Button onClick={() => action.run(async () => setText(formatJson(await load())))}>{source}</Button>
            }
          >
            Payload
          </Header>
        }
      >
        <Stack gap="m">
          <FormField label="JSON" errorText={mistake} stretch>
            <Textarea code rows={16} spellcheck={false} value={text} onChange={setText} />
          </FormField>
          <Button loading={action.busy} onClick={attempt}>
            Test
          </Button>
        </Stack>
      </Container>
      <Container header={<Header>Result</Header>}>
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {action.problem === undefined && !result && <Box muted>Test a payload without changing any data.</Box>}
        {action.problem === undefined && result && <LabResultView result={result} />}
      </Container>
    </Columns>
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
    <Stack>
      <KeyValues
        columns={2}
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
      <Stack gap="xxs">
        <Box variant="label">Fields</Box>
        <ul className="changes">
          {Object.entries(result.rendered).map(([field, text]) => (
            <li key={field} className="wrapping">
              <strong>{field}</strong>{' '}
              {text === '' ? (
                <Box variant="span" muted>
                  empty (not set)
                </Box>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      </Stack>
    </Stack>
  );
}

type FilterResult = Filter & { actual: unknown; passed: boolean };

function Filters({ filters }: { filters: readonly FilterResult[] }) {
  return (
    <Stack gap="xxs">
      <Box variant="label">Filters and conditions</Box>
      <ul className="changes">
        {filters.map(({ actual, passed, ...filter }) => (
          <li key={JSON.stringify(filter)} className="wrapping">
            <Status type={passed ? 'success' : 'stopped'}>
              <code>{filter.field}</code> {operators[filter.operator]} <strong>{toFilterDraft(filter).value}</strong>
              {!passed && <> (actual value: {JSON.stringify(actual)})</>}
            </Status>
          </li>
        ))}
      </ul>
    </Stack>
  );
}
