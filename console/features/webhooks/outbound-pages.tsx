import { navigate } from '../../base/router.ts';
import {
  deliveryPath,
  eventTypeNames,
  inboundPath,
  type OutboundWebhook,
  outboundList,
  outboundPath,
} from '../../resources/webhook-words.ts';
import { Alert, Box, KeyValues, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { Moment, Person } from '../../ui/text.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { DeliveryHealth, healthColumns } from './delivery-health.tsx';
import { FilterList } from './filters.tsx';
import { emptyDraft, findProblems, isShown, toDraft, toPatch, toSettings } from './outbound-draft.ts';
import { OutboundFields } from './outbound-fields.tsx';
import { createWebhookPages } from './webhook-kind.tsx';
import { ActiveLabel } from './webhook-page.tsx';

export const {
  ListPage: OutboundListPage,
  OnePage: OutboundPage,
  CreatePage: CreateOutboundPage,
  EditPage: EditOutboundPage,
} = createWebhookPages<OutboundWebhook, typeof emptyDraft>({
  direction: 'outbound',
  listPath: outboundList,
  forms: { Fields: OutboundFields, findProblems, isShown, toPagePath: outboundPath },
  emptyDraft,
  toDraft,
  toRequests: (client) => ({
    list: client.listOutboundWebhooks,
    get: (id, options) => client.getOutboundWebhook.withResponse({ id }, options),
    create: (draft, options) => client.createOutboundWebhook(toSettings(draft), options),
    update: (draft, webhook, options) =>
      client.updateOutboundWebhook({ id: webhook.id }, toPatch(draft, webhook), options),
    setActive: (id, active) => client.updateOutboundWebhook({ id }, { active }),
    rotateSecret: (id) => client.rotateOutboundSecret({ id }),
    remove: (id, options) => client.deleteOutboundWebhook({ id }, options),
  }),
  columns: [...healthColumns, { id: 'url', header: 'URL', cell: ({ url }) => <span className="wrapping">{url}</span> }],
  isSigned: ({ sign_payloads }) => sign_payloads,
  describe: ({ url }) => <span className="wrapping">{url}</span>,
  toActions: (client, { id }) => ({
    'Send ping': async () => navigate(deliveryPath(id, (await client.testOutboundWebhook({ id })).id)),
  }),
  Notice: ({ webhook }) =>
    webhook.disabled_reason !== null && (
      <Alert type="warning" header="This webhook was deactivated automatically">
        <span className="wrapping">{webhook.disabled_reason}</span>
      </Alert>
    ),
  toTabs: (webhook) => [
    { id: 'settings', label: 'Settings', content: <OutboundFacts webhook={webhook} /> },
    { id: 'deliveries', label: 'Deliveries', content: <DeliveriesPanel webhook={webhook} /> },
  ],
  texts: {
    list: 'Notify other systems about events in this service.',
    invitation: 'Create a webhook to notify your chat, dashboards or scripts.',
    create: 'The signing secret is shown after you create the webhook.',
    secret: 'The receiver uses this secret to verify signatures.',
    deletion: 'Pending deliveries are cancelled.',
  },
});

function OutboundFacts({ webhook }: { webhook: OutboundWebhook }) {
  const headers = Object.keys(webhook.headers);
  const { inbound_webhook_id: inbound } = webhook;
  return (
    <Stack>
      <DeliveryHealth webhook={webhook} />
      <Panel title="Receiver">
        <KeyValues
          columns={4}
          items={[
            { label: 'Status', value: <ActiveLabel active={webhook.active} /> },
            { label: 'Signed', value: webhook.sign_payloads ? 'Yes' : 'No' },
            { label: 'Timeout', value: `${webhook.timeout_seconds} s` },
            { label: 'Extra headers', value: headers.length === 0 ? 'None' : headers.join(', ') },
            { label: 'Owner', value: <Person address={webhook.created_by} /> },
            { label: 'Created', value: <Moment at={webhook.created_at} /> },
            {
              label: 'Linked inbound webhook',
              value: inbound === null ? '–' : <PageLink to={inboundPath(inbound)}>{inbound}</PageLink>,
            },
            { label: 'Receiver’s API client', value: webhook.client_id ?? '–' },
            { label: 'Receives its own changes', value: webhook.include_own ? 'Yes' : 'No' },
          ]}
        />
      </Panel>
      <Panel title="Events">
        <Stack>
          <ul className="changes">
            {webhook.events.map((event) => (
              <li key={event}>
                <code>{event}</code>{' '}
                <Box variant="span" muted>
                  {eventTypeNames[event]}
                </Box>
              </li>
            ))}
          </ul>
          <Stack gap="xxs">
            <Box variant="label">Filters</Box>
            <FilterList filters={webhook.filters} />
          </Stack>
        </Stack>
      </Panel>
    </Stack>
  );
}
