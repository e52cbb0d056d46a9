import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { DeliverySummary } from '../webhook-words.ts';

type Status = DeliverySummary['status'];

const looks: Readonly<Record<Status, { type: StatusIndicatorProps.Type; text: string }>> = {
  pending: { type: 'pending', text: 'Pending' },
  retrying: { type: 'in-progress', text: 'Retrying' },
  delivered: { type: 'success', text: 'Delivered' },
  failed: { type: 'error', text: 'Failed' },
  cancelled: { type: 'stopped', text: 'Cancelled' },
};

export const deliveryStatuses = Object.entries(looks).map(([value, { text }]) => ({
  value: value as Status,
  label: text,
}));

export function DeliveryStatus({ status }: { status: Status }) {
  return (
    <StatusIndicator wrapText={false} type={looks[status].type}>
      {looks[status].text}
    </StatusIndicator>
  );
}
