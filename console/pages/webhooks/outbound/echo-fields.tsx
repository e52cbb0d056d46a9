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

const none = { value: '', label: 'It does not report back' };

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
        label="Reports back through"
        description="What the receiver writes through this inbound webhook is not sent back to it."
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
        label="Acts as the API client"
        description="What the receiver changes as this client is not sent back to it. The id is the one that the client's own profile shows."
        errorText={problems.client_id}
      >
        <Input value={draft.client_id} onChange={({ detail }) => onChange({ client_id: detail.value })} />
      </FormField>
      {(draft.inbound_webhook_id !== '' || draft.client_id !== '') && (
        <Checkbox checked={draft.include_own} onChange={({ detail }) => onChange({ include_own: detail.checked })}>
          Send it back all the same
        </Checkbox>
      )}
    </SpaceBetween>
  );
}
