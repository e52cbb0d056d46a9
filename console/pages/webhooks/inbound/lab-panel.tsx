import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Grid from '@cloudscape-design/components/grid';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { ProblemView } from '../../../components/problem-view.tsx';
import { useAction } from '../../../use-action.ts';
import type { InboundWebhook, LabResult } from '../webhook-words.ts';
import { LabResultView } from './lab-result-view.tsx';
import { samplePayload } from './sample-payload.ts';

const columns = [{ colspan: { default: 12, s: 6 } }, { colspan: { default: 12, s: 6 } }];

/** Shows what the webhook would make of a payload. Nothing is written. */
export function LabPanel({ webhook }: { webhook: InboundWebhook }) {
  const { client } = useApi();
  const [text, setText] = useState(() => JSON.stringify(samplePayload(webhook), null, 2));
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
            <Textarea rows={16} spellcheck={false} value={text} onChange={({ detail }) => setText(detail.value)} />
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
