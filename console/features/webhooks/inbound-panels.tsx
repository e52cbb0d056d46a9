import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { actionNames, type InboundWebhook, inboundPath } from '../../resources/webhook-words.ts';
import { PageLink } from '../../ui/links.tsx';
import { Email, Moment } from '../../ui/text.tsx';
import { FilterList } from './filters.tsx';
import { RuleList } from './inbound-rules.tsx';
import { SampleCommand } from './sample-command.tsx';
import { ActiveLabel } from './webhook-page.tsx';

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
                value: <Authentication webhook={webhook} />,
              },
              ...(webhook.preset === 'cloudwatch'
                ? [{ label: 'Topic', value: <Topic arn={webhook.topic_arn} /> }]
                : []),
              { label: 'Created', value: <Moment at={webhook.created_at} /> },
              { label: 'Created by', value: <Email address={webhook.created_by} /> },
            ]}
          />
        </SpaceBetween>
      </Container>
      <SampleCommand webhook={webhook} />
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
            <Box variant="awsui-key-label">Conditions</Box>
            <FilterList filters={webhook.when} />
          </SpaceBetween>
          {webhook.rules.length > 0 && (
            <SpaceBetween size="xxs">
              <Box variant="awsui-key-label">Rules</Box>
              <RuleList rules={webhook.rules} />
            </SpaceBetween>
          )}
          {webhook.filters.length > 0 && (
            <SpaceBetween size="xxs">
              <Box variant="awsui-key-label">Filters for every event</Box>
              <FilterList filters={webhook.filters} />
            </SpaceBetween>
          )}
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}

function Authentication({ webhook }: { webhook: InboundWebhook }) {
  if (webhook.secret_enabled) return <SecretAge webhook={webhook} />;
  return webhook.preset === 'cloudwatch' ? 'Amazon SNS signature' : 'None (URL only)';
}

function Topic({ arn }: { arn: string | null }) {
  if (arn !== null) return <span className="wrapping">{arn}</span>;
  return (
    <StatusIndicator type="warning">
      All topics of all AWS accounts. Edit the webhook to enter its topic.
    </StatusIndicator>
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
