import { useApi } from '../../base/api.ts';
import { collectPages } from '../../base/paging.ts';
import { type Polling, useLoad } from '../../base/use-load.ts';
import type { RecordColumn } from '../../records/record-table.tsx';
import { type DeliveryStatistics, deliveryPath, type OutboundWebhook } from '../../resources/webhook-words.ts';
import { formatCount } from '../../ui/count.ts';
import { Box, KeyValues, Status } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Ago, noValue } from '../../ui/text.tsx';

// Success rate, latency and last error of outbound webhooks, from their latest deliveries.

const maxPerPage = 50;

const polling: Polling = { intervalMs: 30_000, maxIntervalMs: 480_000, maxPolls: 120 };

/** The statistics of all webhooks by their ids. The cells of a list share one request. */
export function useDeliveryStatistics() {
  const { client } = useApi();
  return useLoad(
    ['webhooks', 'outbound', 'statistics'],
    async (signal) => {
      const { items } = await collectPages((page) =>
        client.listDeliveryStatistics({ ...page, limit: maxPerPage }, { signal }),
      );
      return new Map(items.map((each) => [each.webhook_id, each]));
    },
    { polling },
  );
}

const healthyRate = 0.95;
const poorRate = 0.5;

export function SuccessRate({ statistics }: { statistics: DeliveryStatistics | undefined }) {
  if (!statistics || statistics.deliveries === 0) return noValue;
  const { success_rate: rate, delivered, failed, open } = statistics;
  if (rate === null) return <Status type="in-progress">{open} in progress</Status>;
  const type = rate >= healthyRate ? 'success' : rate >= poorRate ? 'warning' : 'error';
  return (
    <>
      <Status type={type} unbroken>
        {formatRate(rate)}
      </Status>
      <Box muted small>
        {delivered} of {delivered + failed}
        {open > 0 && `, ${open} in progress`}
      </Box>
    </>
  );
}

/** Rounds down, so that only a webhook without failures shows 100%. */
export function formatRate(rate: number): string {
  return `${Math.floor(rate * 100)}%`;
}

function Latency({ statistics }: { statistics: DeliveryStatistics | undefined }) {
  if (statistics?.median_ms == null) return noValue;
  return (
    <>
      <span className="unbroken">{statistics.median_ms} ms</span>
      <Box muted small>
        95%: {statistics.p95_ms} ms
      </Box>
    </>
  );
}

function LastError({ statistics }: { statistics: DeliveryStatistics | undefined }) {
  const error = statistics?.last_error;
  if (!statistics || !error) return noValue;
  return (
    <>
      <PageLink to={deliveryPath(statistics.webhook_id, error.delivery_id)} variant="secondary">
        <span className="wrapping">{error.error}</span>
      </PageLink>
      <Box muted small>
        <Ago at={error.at} />
      </Box>
    </>
  );
}

const parts = { success: SuccessRate, latency: Latency, last_error: LastError };

function HealthCell({ id, part }: { id: string; part: keyof typeof parts }) {
  const { data } = useDeliveryStatistics();
  const Part = parts[part];
  return <Part statistics={data?.get(id)} />;
}

export const healthColumns: readonly RecordColumn<OutboundWebhook>[] = [
  { id: 'success', header: 'Success', minWidth: 110, cell: ({ id }) => <HealthCell id={id} part="success" /> },
  { id: 'latency', header: 'Latency', minWidth: 100, cell: ({ id }) => <HealthCell id={id} part="latency" /> },
  { id: 'last_error', header: 'Last error', minWidth: 130, cell: ({ id }) => <HealthCell id={id} part="last_error" /> },
];

export function DeliveryHealth({ webhook: { id } }: { webhook: OutboundWebhook }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(
    ['webhooks', id, 'statistics'],
    async (signal) => (await client.listDeliveryStatistics({ webhook_id: id }, { signal })).data[0],
    { polling },
  );
  const count = data?.deliveries ?? 0;
  return (
    <Panel
      title="Health"
      description={
        count === 0 ? 'No deliveries yet.' : `Success of the latest ${formatCount(count, 'delivery', 'deliveries')}.`
      }
    >
      {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
      <KeyValues
        columns={4}
        items={[
          { label: 'Success rate', value: <SuccessRate statistics={data} /> },
          { label: 'Latency (median)', value: <Latency statistics={data} /> },
          { label: 'Last error', value: <LastError statistics={data} /> },
          { label: 'Oldest of these deliveries', value: data?.since ? <Ago at={data.since} /> : noValue },
        ]}
      />
    </Panel>
  );
}
