import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useState } from 'react';
import { useApi } from '../../../api.ts';
import { collectPages } from '../../../pages-of.ts';
import { useLoad } from '../../../use-load.ts';
import type { InboundFieldsProps } from './inbound-fields.tsx';

/** Which incident an event is about. */
export function TargetFields(props: InboundFieldsProps) {
  if (props.draft.action === 'create_incident') return <KeyField {...props} />;
  return <NamedIncident {...props} />;
}

function NamedIncident(props: InboundFieldsProps) {
  const { draft, problems, onChange } = props;
  const [by, setBy] = useState(draft.dedup_key === '' ? 'id' : 'key');
  return (
    <SpaceBetween size="l">
      <FormField label="Find incident by" errorText={by === 'id' ? undefined : problems.incident_id}>
        <RadioGroup
          value={by}
          items={[
            { value: 'id', label: 'Incident ID in the payload' },
            { value: 'key', label: 'Deduplication key of the webhook that created it' },
          ]}
          onChange={({ detail }) => {
            setBy(detail.value);
            onChange(detail.value === 'id' ? { dedup_key: '', dedup_scope: '' } : { incident_id: '' });
          }}
        />
      </FormField>
      {by === 'id' ? (
        <FormField label="Incident ID" errorText={problems.incident_id}>
          <Input
            value={draft.incident_id}
            spellcheck={false}
            placeholder="{{ticket.id}}"
            onChange={({ detail }) => onChange({ incident_id: detail.value })}
          />
        </FormField>
      ) : (
        <KeyField {...props} />
      )}
    </SpaceBetween>
  );
}

function KeyField({ draft, problems, onChange }: InboundFieldsProps) {
  const creates = draft.action === 'create_incident';
  return (
    <SpaceBetween size="l">
      <FormField
        label={
          creates ? (
            <span>
              Deduplication key - <i>optional</i>
            </span>
          ) : (
            'Deduplication key'
          )
        }
        description={
          creates
            ? 'While the incident is open, events with the same key update it instead of creating another one.'
            : 'Must match the key of the webhook that created the incident.'
        }
        errorText={problems.dedup_key}
      >
        <Input
          value={draft.dedup_key}
          spellcheck={false}
          placeholder="{{alert.fingerprint}}"
          onChange={({ detail }) => onChange({ dedup_key: detail.value })}
        />
      </FormField>
      {draft.dedup_key.trim() !== '' && <ScopeField draft={draft} problems={problems} onChange={onChange} />}
    </SpaceBetween>
  );
}

const own = { value: '', label: 'This webhook' };

function ScopeField({ draft, problems, onChange }: InboundFieldsProps) {
  const { client } = useApi();
  const load = useCallback(
    (signal: AbortSignal) => collectPages((page) => client.listInboundWebhooks(page, { signal })),
    [client],
  );
  const { data, loading } = useLoad(load);
  const others = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name, description: id }));
  const chosen = [own, ...others].find(({ value }) => value === draft.dedup_scope);
  return (
    <FormField label="Key scope" errorText={problems.dedup_scope}>
      <Select
        selectedOption={chosen ?? { value: draft.dedup_scope, label: draft.dedup_scope }}
        options={[own, ...others]}
        statusType={loading ? 'loading' : 'finished'}
        filteringType="auto"
        onChange={({ detail }) => onChange({ dedup_scope: detail.selectedOption.value ?? '' })}
      />
    </FormField>
  );
}
