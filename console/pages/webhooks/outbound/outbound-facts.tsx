import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { Email } from '../../../components/email.tsx';
import { Moment } from '../../../components/moment.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { ActiveLabel } from '../parts/active-label.tsx';
import { FilterList } from '../parts/filter-list.tsx';
import { eventTypeNames, inboundPath, type OutboundWebhook } from '../webhook-words.ts';

export function OutboundFacts({ webhook }: { webhook: OutboundWebhook }) {
  const headers = Object.keys(webhook.headers);
  const { inbound_webhook_id: inbound } = webhook;
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Receiver</Header>}>
        <KeyValuePairs
          columns={4}
          minColumnWidth={150}
          items={[
            { label: 'Status', value: <ActiveLabel active={webhook.active} /> },
            { label: 'Signed', value: webhook.sign_payloads ? 'Yes' : 'No' },
            { label: 'Timeout', value: `${webhook.timeout_seconds} s` },
            { label: 'Extra headers', value: headers.length === 0 ? 'None' : headers.join(', ') },
            { label: 'Owner', value: <Email address={webhook.created_by} /> },
            { label: 'Created', value: <Moment at={webhook.created_at} /> },
            {
              label: 'Linked inbound webhook',
              value: inbound === null ? '–' : <PageLink to={inboundPath(inbound)}>{inbound}</PageLink>,
            },
            { label: 'Receiver’s API client', value: webhook.client_id ?? '–' },
            { label: 'Receives its own changes', value: webhook.include_own ? 'Yes' : 'No' },
          ]}
        />
      </Container>
      <Container header={<Header variant="h2">Events</Header>}>
        <SpaceBetween size="l">
          <ul className="changes">
            {webhook.events.map((event) => (
              <li key={event}>
                <code>{event}</code>{' '}
                <Box variant="span" color="text-body-secondary">
                  {eventTypeNames[event]}
                </Box>
              </li>
            ))}
          </ul>
          <SpaceBetween size="xxs">
            <Box variant="awsui-key-label">Filters</Box>
            <FilterList filters={webhook.filters} />
          </SpaceBetween>
        </SpaceBetween>
      </Container>
    </SpaceBetween>
  );
}
