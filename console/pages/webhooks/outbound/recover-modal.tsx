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
  { value: String(hour), label: 'The last hour' },
  { value: String(24 * hour), label: 'The last 24 hours' },
  { value: String(7 * 24 * hour), label: 'The last 7 days' },
  { value: String(30 * 24 * hour), label: 'The last 30 days' },
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
      content: count === 0 ? 'Nothing had failed.' : `${count} deliveries are on their way again.`,
    });
    onClose();
  };
  return (
    <DecisionModal
      title={`Recover ${name}`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Deliver again"
      onConfirm={() => action.run(recover)}
      busy={action.busy}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <FormField
        label="What failed in"
        description="Every event whose deliveries all failed is delivered again. What was delivered meanwhile is left out."
      >
        <Select
          selectedOption={span}
          options={spans}
          onChange={({ detail }) => setSpan(detail.selectedOption as typeof span)}
        />
      </FormField>
    </DecisionModal>
  );
}
