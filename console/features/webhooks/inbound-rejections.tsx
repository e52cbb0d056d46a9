import { useApi } from '../../base/api.ts';
import { useMore } from '../../base/use-load.ts';
import { MoreTable } from '../../records/tables.tsx';
import type { InboundRejection, InboundWebhook } from '../../resources/webhook-words.ts';
import type { Column } from '../../ui/kit/index.ts';
import { Ago } from '../../ui/text.tsx';

type Row = InboundRejection & { id: string };

/** Calls that were rejected before they became events. */
export function RejectionsPanel({ webhook: { id } }: { webhook: InboundWebhook }) {
  const { client } = useApi();
  const list = useMore<Row>(['webhooks', id, 'rejections'], async (_page, signal) => {
    const { data, total } = await client.listInboundRejections({ id }, { signal });
    return { data: data.map((rejection, index) => ({ ...rejection, id: `${rejection.at} ${index}` })), total };
  });
  return (
    <MoreTable
      list={list}
      title="Rejected calls"
      description="The last 20 calls that were rejected before they became events, without their content."
      columns={columns}
      empty="No rejected calls."
    />
  );
}

const reasonTexts: Readonly<Record<InboundRejection['reason'], string>> = {
  inactive: 'The webhook was inactive.',
  no_signature: 'The call had neither a signature nor an access token.',
  invalid_signature: 'The signature does not match the body and the secret.',
  stale_timestamp: 'The timestamp is more than 5 minutes off. Check the clock of the sender.',
  invalid_token: 'The access token is invalid, or not of an agent.',
  other_topic: 'The message comes from another Amazon SNS topic than the one of the webhook.',
  too_large: 'The body exceeds 256 KB.',
  not_json: 'The body is not JSON.',
  rate_limited: 'More than 100 events per second.',
  key_reused: 'The event ID was used before with another body.',
};

const columns: readonly Column<Row>[] = [
  { id: 'at', header: 'Time', isRowHeader: true, cell: ({ at }) => <Ago at={at} /> },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reasonTexts[reason] },
  { id: 'status', header: 'Response', cell: ({ status }) => status },
  { id: 'size', header: 'Size', cell: ({ size_bytes }) => `${size_bytes.toLocaleString('en')} bytes` },
];
