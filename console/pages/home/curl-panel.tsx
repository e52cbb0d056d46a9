import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Toggle from '@cloudscape-design/components/toggle';
import { useState } from 'react';
import { apiRoot, operationTable } from '../../../client/index.ts';
import { useApi } from '../../api.ts';
import { useStore } from '../../use-store.ts';

/** Whatever can be read without knowing an id. */
const paths = Object.values(operationTable)
  .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
  .map(({ path }) => ({ value: path as string, label: `GET ${path}` }));

const firstPath = paths.find(({ value }) => value === '/me') ?? paths[0]!;

export function CurlPanel() {
  const { config, session } = useApi();
  const state = useStore(session.state);
  const [operation, setOperation] = useState(firstPath);
  const [showToken, setShowToken] = useState(false);
  const token = state.status === 'signed_in' ? state.accessToken : '';
  const command = (shown: string) =>
    `curl -i -H "Authorization: Bearer ${shown}" "${config.base_url}${apiRoot}${operation.value}"`;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description="The copied command contains your access token. Anyone who has it can act as you until it expires."
          actions={
            <CopyToClipboard
              copyButtonText="Copy"
              copyButtonAriaLabel="Copy curl command"
              copySuccessText="Copied"
              copyErrorText="Could not copy"
              textToCopy={command(token)}
            />
          }
        >
          Try it with curl
        </Header>
      }
    >
      <SpaceBetween size="m">
        <SpaceBetween size="l" direction="horizontal" alignItems="end">
          <FormField label="Request">
            <Select
              selectedOption={operation}
              options={paths}
              onChange={({ detail }) => setOperation(detail.selectedOption as typeof operation)}
            />
          </FormField>
          <Toggle checked={showToken} onChange={({ detail }) => setShowToken(detail.checked)}>
            Show token
          </Toggle>
        </SpaceBetween>
        <pre className="command" data-testid="curl">
          {command(showToken ? token : `${token.slice(0, 8)}…`)}
        </pre>
      </SpaceBetween>
    </Container>
  );
}
