import { actionNames, type InboundWebhook, inboundPath } from '../../resources/webhook-words.ts';
import { Box, Container, CopyButton, Header, KeyValues, Stack, Status } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { Moment, Person } from '../../ui/text.tsx';
import { FilterList } from './filters.tsx';
import { RuleList } from './inbound-rules.tsx';
import { SampleCommand } from './sample-command.tsx';
import { ActiveLabel } from './webhook-page.tsx';

export function InboundFacts({ webhook }: { webhook: InboundWebhook }) {
  const mapping = Object.entries(webhook.field_mapping);
  return (
    <Stack>
      <Container header={<Header>Endpoint</Header>}>
        <Stack gap="m">
          <span className="wrapping">
            <CopyButton isValueShown label="Copy URL" value={webhook.url} />
          </span>
          <KeyValues
            columns={4}
            items={[
              { label: 'Status', value: <ActiveLabel active={webhook.active} /> },
              {
                label: 'Authentication',
                value: <Authentication webhook={webhook} />,
              },
              ...(webhook.preset === 'cloudwatch'
                ? [{ label: 'Topic', value: <Topic arn={webhook.topic_arn} /> }]
                : []),
              { label: 'Created', value: <Moment at={webhook.created_at} /> },
              { label: 'Created by', value: <Person address={webhook.created_by} /> },
            ]}
          />
        </Stack>
      </Container>
      <SampleCommand webhook={webhook} />
      <Container header={<Header>{actionNames[webhook.action]}</Header>}>
        <Stack>
          <KeyValues columns={3} items={targets(webhook)} />
          <Stack gap="xxs">
            <Box variant="label">Field mapping</Box>
            {mapping.length === 0 && <Box muted>No mapped fields.</Box>}
            <ul className="changes">
              {mapping.map(([field, template]) => (
                <li key={field} className="wrapping">
                  <strong>{field}</strong> <code>{template}</code>
                </li>
              ))}
            </ul>
          </Stack>
          <Stack gap="xxs">
            <Box variant="label">Conditions</Box>
            <FilterList filters={webhook.when} />
          </Stack>
          {webhook.rules.length > 0 && (
            <Stack gap="xxs">
              <Box variant="label">Rules</Box>
              <RuleList rules={webhook.rules} />
            </Stack>
          )}
          {webhook.filters.length > 0 && (
            <Stack gap="xxs">
              <Box variant="label">Filters for every event</Box>
              <FilterList filters={webhook.filters} />
            </Stack>
          )}
        </Stack>
      </Container>
    </Stack>
  );
}

function Authentication({ webhook }: { webhook: InboundWebhook }) {
  if (webhook.secret_enabled) return <SecretAge webhook={webhook} />;
  return webhook.preset === 'cloudwatch' ? 'Amazon SNS signature' : 'None (URL only)';
}

function Topic({ arn }: { arn: string | null }) {
  if (arn !== null) return <span className="wrapping">{arn}</span>;
  return <Status type="warning">All topics of all AWS accounts. Edit the webhook to enter its topic.</Status>;
}

function SecretAge({ webhook }: { webhook: InboundWebhook }) {
  return (
    <>
      Secret{webhook.secret_created_at && <> created {webhook.secret_created_at.slice(0, 10)}</>}
      {webhook.previous_secret_until && (
        <Box muted small>
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
