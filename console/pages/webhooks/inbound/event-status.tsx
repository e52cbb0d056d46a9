import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';
import type { InboundEvent } from '../webhook-words.ts';

const looks: Readonly<Record<InboundEvent['status'], { type: StatusIndicatorProps.Type; text: string }>> = {
  created: { type: 'success', text: 'Created' },
  updated: { type: 'success', text: 'Updated' },
  deduplicated: { type: 'info', text: 'Duplicate' },
  filtered: { type: 'stopped', text: 'Filtered out' },
  failed: { type: 'error', text: 'Failed' },
};

export function EventStatus({ status }: { status: InboundEvent['status'] }) {
  return (
    <StatusIndicator wrapText={false} type={looks[status].type}>
      {looks[status].text}
    </StatusIndicator>
  );
}
