import { useApi } from '../../base/api.ts';
import { type Polling, useLoad } from '../../base/use-load.ts';
import {
  type DeliveryStatistics,
  type OutboundWebhook,
  outboundList,
  outboundPath,
} from '../../resources/webhook-words.ts';
import { Box, Stack } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { Ago } from '../../ui/text.tsx';
import { SuccessRate, useDeliveryStatistics } from '../webhooks/delivery-health.tsx';
import { ChartPanel } from './chart-panel.tsx';

const polling: Polling = { intervalMs: 60_000, maxIntervalMs: 480_000, maxPolls: 60 };

const maxRows = 5;

/** Outbound webhooks, those with problems first. */
export function WebhookHealth() {
  const { client } = useApi();
  const { data } = useLoad(
    ['webhooks', 'health'],
    (signal) => client.listOutboundWebhooks({ limit: 200 }, { signal }),
    { polling },
  );
  const { data: statistics } = useDeliveryStatistics();
  const webhooks = data?.data ?? [];
  const rank = (webhook: OutboundWebhook) => rankHealth(webhook, statistics?.get(webhook.id));
  const rows = [...webhooks].sort((a, b) => rank(a) - rank(b)).slice(0, maxRows);
  const active = webhooks.filter((webhook) => webhook.active).length;
  return (
    <ChartPanel
      title="Outbound webhooks"
      data={data}
      description={data ? `${active} of ${data.total} active; success of the latest deliveries` : 'Loading'}
    >
      <Stack gap="s">
        {rows.length === 0 && <Box muted>No webhooks.</Box>}
        <ul className="queue">
          {rows.map((webhook) => (
            <HealthRow key={webhook.id} webhook={webhook} statistics={statistics?.get(webhook.id)} />
          ))}
        </ul>
        {webhooks.length > 0 && <PageLink to={outboundList}>View all outbound webhooks</PageLink>}
      </Stack>
    </ChartPanel>
  );
}

/** Lower values come first: deactivated by the service, then by success rate, then without deliveries. */
function rankHealth({ disabled_reason: reason }: OutboundWebhook, statistics: DeliveryStatistics | undefined): number {
  return reason === null ? (statistics?.success_rate ?? 2) : -1;
}

function HealthRow({ webhook, statistics }: { webhook: OutboundWebhook; statistics: DeliveryStatistics | undefined }) {
  const error = statistics?.last_error;
  return (
    <li className="queue-row">
      <span className="queue-title">
        <PageLink to={outboundPath(webhook.id)} variant="secondary">
          {webhook.name}
        </PageLink>
        <Box muted small>
          {webhook.disabled_reason !== null && `Deactivated: ${webhook.disabled_reason}`}
          {webhook.disabled_reason === null && !webhook.active && 'Switched off'}
          {webhook.active && error && (
            <>
              {error.error} <Ago at={error.at} />
            </>
          )}
          {webhook.active && !error && 'No recent errors'}
        </Box>
      </span>
      <span className="queue-aside">
        <SuccessRate statistics={statistics} />
      </span>
    </li>
  );
}
