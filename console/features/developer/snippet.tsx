import { useApi } from '../../base/api.ts';
import { Box, Button, CopyButton, Row, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';

/** Text to copy into a terminal or an editor. */
export function Snippet({ title, text }: { title: string; text: string }) {
  return (
    <Stack gap="xs">
      <Row gap="s">
        <Box variant="label">{title}</Box>
        <CopyButton label={`Copy ${title}`} value={text} />
      </Row>
      <pre className="command">{text}</pre>
    </Stack>
  );
}

/** How programs and terminals use this instance. */
export function SnippetsPanel() {
  const { config } = useApi();
  const isOneOrigin = new URL(config.auth_url).origin === new URL(config.base_url).origin;
  const authLine = isOneOrigin ? '' : `  authUrl: '${config.auth_url}',\n`;
  return (
    <Panel
      title="SDK, command line and agents"
      description="Set ITSM_API_KEY to one of your API keys. It is shown once, when you create it."
      actions={<Button to="/developer/api">API reference</Button>}
    >
      <Stack gap="m">
        <Snippet
          title="TypeScript"
          text={`import { createClient } from 'incident-service-client';

const client = createClient({
  baseUrl: '${config.base_url}',
${authLine}  credentials: { apiKey: process.env.ITSM_API_KEY },
});
for await (const incident of client.listIncidents.all({ state: ['new'] })) console.log(incident.id);`}
        />
        <Snippet
          title="curl"
          text={`curl -sS --fail-with-body ${config.base_url}/prod/api/v1/me -H "Authorization: Bearer $ITSM_API_KEY"`}
        />
        <Snippet
          title="Command line"
          text={`itsm login --url ${config.base_url}
itsm incidents create "Mail is down" --priority P2
itsm incidents list --state new,in_progress`}
        />
        <Snippet
          title="Agents (Model Context Protocol)"
          text={`claude mcp add --transport http itsm ${config.base_url}/prod/api/v1/mcp --header "Authorization: Bearer $ITSM_API_KEY"`}
        />
      </Stack>
    </Panel>
  );
}
