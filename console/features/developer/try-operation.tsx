import { useState } from 'react';
import { apiRoot } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import type { Session } from '../../base/session.ts';
import {
  Alert,
  Box,
  Button,
  Columns,
  Expandable,
  FormField,
  Input,
  Stack,
  Status,
  Textarea,
} from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import type { Operation, Parameter } from './api-document.ts';
import {
  type ApiRequest,
  createDraft,
  type Draft,
  findDraftProblem,
  formatCurl,
  formatSdkCall,
  toRequest,
} from './api-request.ts';
import { Snippet } from './snippet.tsx';

const timeoutMs = 60_000;

interface Received {
  status: number;
  latencyMs: number;
  headers: readonly (readonly [string, string])[];
  text: string;
}

/** A form that sends the operation as the signed-in user. */
export function TryOperation({ operation }: { operation: Operation }) {
  const { config, session } = useApi();
  const [draft, setDraft] = useState(() => createDraft(operation));
  const [received, setReceived] = useState<Received>();
  const [draftProblem, setDraftProblem] = useState<string>();
  const sending = useAction();
  const request = toRequest(operation, draft, `${config.base_url}${apiRoot}`);
  const send = () => {
    const problem = findDraftProblem(operation, draft);
    setDraftProblem(problem);
    setReceived(undefined);
    if (problem === undefined) void sending.run(async () => setReceived(await sendRequest(request, session)));
  };
  return (
    <Panel
      title="Try it"
      description={
        operation.method === 'GET'
          ? 'Sends the request as you.'
          : 'Sends the request as you. It changes the data of this instance.'
      }
      actions={
        <Button variant="primary" loading={sending.busy} onClick={send}>
          Send {operation.method} request
        </Button>
      }
    >
      <Stack>
        <Parameters operation={operation} draft={draft} onChange={setDraft} />
        {operation.body && (
          <FormField label="Body" stretch>
            <Textarea
              code
              rows={Math.min(20, draft.body.split('\n').length + 1)}
              spellcheck={false}
              value={draft.body}
              onChange={(value) => setDraft({ ...draft, body: value })}
            />
          </FormField>
        )}
        {draftProblem !== undefined && <Alert type="error">{draftProblem}</Alert>}
        {sending.problem !== undefined && <ProblemView problem={sending.problem} onRetry={send} />}
        {received && <ReceivedView received={received} />}
        <Snippet title="curl" text={formatCurl(request)} />
        <Snippet title="TypeScript" text={formatSdkCall(operation, draft)} />
      </Stack>
    </Panel>
  );
}

interface ParametersProps {
  operation: Operation;
  draft: Draft;
  onChange(draft: Draft): void;
}

/** Optional parameters are many on lists, so they are folded away. */
function Parameters({ operation: { parameters }, draft, onChange }: ParametersProps) {
  const toInput = (parameter: Parameter) => (
    <FormField key={parameter.name} label={parameter.name} description={parameter.description}>
      <Input
        value={draft.values[parameter.name] ?? ''}
        placeholder={String(parameter.schema.examples?.[0] ?? '')}
        onChange={(value) => onChange({ ...draft, values: { ...draft.values, [parameter.name]: value } })}
      />
    </FormField>
  );
  const required = parameters.filter((parameter) => parameter.required);
  const optional = parameters.filter((parameter) => !parameter.required);
  return (
    <Stack gap="m">
      {required.length > 0 && <Columns count={2}>{required.map(toInput)}</Columns>}
      {optional.length > 0 && (
        <Expandable title={`Optional parameters (${optional.length})`}>
          <Columns count={2}>{optional.map(toInput)}</Columns>
        </Expandable>
      )}
    </Stack>
  );
}

function ReceivedView({ received: { status, latencyMs, headers, text } }: { received: Received }) {
  return (
    <Stack gap="s">
      <Status type={status < 400 ? 'success' : 'error'}>
        {status} in {latencyMs} ms
      </Status>
      {text === '' ? (
        <Box muted>Without a body.</Box>
      ) : (
        <section aria-label="Response">
          <pre className="command">{text}</pre>
        </section>
      )}
      <Expandable title="Headers of the response">
        <pre className="command">{headers.map(([name, value]) => `${name}: ${value}`).join('\n')}</pre>
      </Expandable>
    </Stack>
  );
}

/** Sent as it is, without the retries of the client, so that the user sees what the service returns. */
async function sendRequest(request: ApiRequest, session: Session): Promise<Received> {
  const token = await session.accessToken();
  const first = await fetchOnce(request, token);
  return first.status === 401 ? fetchOnce(request, await session.accessToken({ rejected: token })) : first;
}

async function fetchOnce({ method, url, headers, body }: ApiRequest, token: string): Promise<Received> {
  const startedAt = performance.now();
  const response = await fetch(url, {
    method,
    headers: { ...headers, Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const latencyMs = Math.round(performance.now() - startedAt);
  return { status: response.status, latencyMs, headers: [...response.headers], text: indent(text) };
}

function indent(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
