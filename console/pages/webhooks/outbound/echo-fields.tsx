import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback } from 'react';
import { useApi } from '../../../api.ts';
import { collectPages } from '../../../pages-of.ts';
import { useLoad } from '../../../use-load.ts';
import type { OutboundFieldsProps } from './outbound-fields.tsx';

const none = { value: '', label: 'None' };

/** Two systems that tell each other everything would never stop, so a receiver does not hear what it said itself. */
export function EchoFields({ draft, problems, onChange }: OutboundFieldsProps) {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listInboundWebhooks(page, { signal })),
    [client],
  );
  const { data, loading } = useLoad(load);
  const inbound = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name, description: id }));
  const chosen = [none, ...inbound].find(({ value }) => value === draft.inbound_webhook_id);
  return (
    <SpaceBetween size="l">
      <FormField
        label="Linked inbound webhook"
        description="Changes made through this inbound webhook are not sent back to the receiver."
        errorText={problems.inbound_webhook_id}
      >
        <Select
          selectedOption={chosen ?? { value: draft.inbound_webhook_id, label: draft.inbound_webhook_id }}
          options={[none, ...inbound]}
          statusType={loading ? 'loading' : 'finished'}
          onChange={({ detail }) => onChange({ inbound_webhook_id: detail.selectedOption.value ?? '' })}
        />
      </FormField>
      <FormField
        label="Receiver’s API client"
        description="Changes made by this API client are not sent back to the receiver. Enter the client ID."
        errorText={problems.client_id}
      >
        <Input value={draft.client_id} onChange={({ detail }) => onChange({ client_id: detail.value })} />
      </FormField>
      {(draft.inbound_webhook_id !== '' || draft.client_id !== '') && (
        <Checkbox checked={draft.include_own} onChange={({ detail }) => onChange({ include_own: detail.checked })}>
          Send the receiver its own changes
        </Checkbox>
      )}
    </SpaceBetween>
  );
}
