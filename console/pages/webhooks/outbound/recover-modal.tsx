import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { DecisionModal } from '../../../components/decision-modal.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { notify } from '../../../notices.ts';
import { serverNow } from '../../../server-clock.ts';
import { useAction } from '../../../use-action.ts';
import type { OutboundWebhook } from '../webhook-words.ts';

const hour = 3_600_000;
const spans = [
  { value: String(hour), label: 'Last hour' },
  { value: String(24 * hour), label: 'Last 24 hours' },
  { value: String(7 * 24 * hour), label: 'Last 7 days' },
  { value: String(30 * 24 * hour), label: 'Last 30 days' },
];

/** The service recovers a bounded number at once and says when there is more. */
const mostRounds = 50;

export function RecoverModal({ webhook: { id, name }, onClose }: { webhook: OutboundWebhook; onClose(): void }) {
  const { client } = useApi();
  const [span, setSpan] = useState(spans[1]!);
  const action = useAction();
  const recover = async () => {
    const since = new Date(serverNow() - Number(span.value)).toISOString();
    let count = 0;
    for (let round = 0; round < mostRounds; round += 1) {
      const { replayed, more } = await client.recoverDeliveries({ id }, { since });
      count += replayed;
      if (!more) break;
    }
    notify({
      type: 'success',
      content:
        count === 0 ? 'No failed deliveries found.' : `Retrying ${count} ${count === 1 ? 'delivery' : 'deliveries'}.`,
    });
    onClose();
  };
  return (
    <DecisionModal
      title={`Retry failed deliveries of ${name}`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Retry"
      onConfirm={() => action.run(recover)}
      busy={action.busy}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <FormField label="Period" description="Retries every event that was never delivered successfully.">
        <Select
          selectedOption={span}
          options={spans}
          onChange={({ detail }) => setSpan(detail.selectedOption as typeof span)}
        />
      </FormField>
    </DecisionModal>
  );
}
