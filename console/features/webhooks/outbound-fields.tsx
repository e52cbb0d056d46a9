import Alert from '@cloudscape-design/components/alert';
import AttributeEditor from '@cloudscape-design/components/attribute-editor';
import Checkbox from '@cloudscape-design/components/checkbox';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useApi } from '../../base/api.ts';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import { type EventType, eventTypeNames } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { Panel } from '../../ui/layouts.tsx';
import { FilterEditor } from './filters.tsx';
import { type HeaderRow, hasNewOrigin, type OutboundDraft } from './outbound-draft.ts';
import type { WebhookFieldsProps } from './webhook-form.tsx';

export type OutboundFieldsProps = WebhookFieldsProps<OutboundDraft>;

const eventOptions = Object.entries(eventTypeNames).map(([value, description]) => ({
  value,
  label: value,
  description,
}));

export function OutboundFields(props: OutboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <Panel title="Receiver">
        <ReceiverFields {...props} />
      </Panel>
      <Panel title="Events">
        <EventFields {...props} />
      </Panel>
    </SpaceBetween>
  );
}

function ReceiverFields({ draft, problems, onChange }: OutboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <FormField label="Name" errorText={problems.name}>
        <Input value={draft.name} onChange={({ detail }) => onChange({ name: detail.value })} />
      </FormField>
      <FormField label="URL" description="A public HTTPS URL." errorText={problems.url} stretch>
        <Input
          type="url"
          value={draft.url}
          placeholder="https://hooks.example.com/incidents"
          onChange={({ detail }) => onChange({ url: detail.value })}
        />
      </FormField>
      {hasNewOrigin(draft) && (
        <Alert type="warning" header="This URL belongs to a different receiver">
          To protect them from the new receiver, saving removes the stored header values and replaces the secret. Enter
          the header values again and copy the new secret, which is shown once after you save.
        </Alert>
      )}
      <FormField label="Format" description="What the receiver expects in the body of a delivery.">
        <Select
          selectedOption={formatOptions.find(({ value }) => value === draft.format) ?? null}
          options={formatOptions}
          onChange={({ detail }) => onChange({ format: detail.selectedOption.value as OutboundDraft['format'] })}
        />
      </FormField>
      <FormField label="Timeout" description="Maximum response time in seconds." errorText={problems.timeout_seconds}>
        <Input
          type="number"
          inputMode="numeric"
          value={draft.timeout_seconds}
          onChange={({ detail }) => onChange({ timeout_seconds: detail.value })}
        />
      </FormField>
      <HeaderEditor
        headers={draft.headers}
        keptText={hasNewOrigin(draft) ? 'Will be removed' : 'Unchanged'}
        problems={problems}
        onChange={(headers) => onChange({ headers })}
      />
      <Checkbox
        checked={draft.sign_payloads}
        description="Lets the receiver verify that deliveries come from this service."
        onChange={({ detail }) => onChange({ sign_payloads: detail.checked })}
      >
        Sign deliveries with a secret
      </Checkbox>
      <Checkbox
        checked={draft.active}
        description="Deactivating cancels pending deliveries."
        onChange={({ detail }) => onChange({ active: detail.checked })}
      >
        Active
      </Checkbox>
    </SpaceBetween>
  );
}

const formatOptions: { value: OutboundDraft['format']; label: string }[] = [
  { value: 'service', label: 'Event of this service' },
  { value: 'cloudevents', label: 'CloudEvents 1.0' },
  { value: 'slack', label: 'Slack message' },
  { value: 'teams', label: 'Microsoft Teams card' },
];

function EventFields({ draft, problems, onChange }: OutboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <FormField label="Events" errorText={problems.events} stretch>
        <Multiselect
          selectedOptions={eventOptions.filter(({ value }) => draft.events.includes(value as EventType))}
          options={eventOptions}
          placeholder="Choose events"
          filteringType="auto"
          filteringAriaLabel="Find events"
          deselectAriaLabel={({ label }) => `Remove ${label}`}
          onChange={({ detail }) => onChange({ events: detail.selectedOptions.map(({ value }) => value as EventType) })}
        />
      </FormField>
      <FilterEditor
        filters={draft.filters}
        problems={problems}
        example="incident.priority"
        onChange={(filters) => onChange({ filters })}
      />
      <EchoFields draft={draft} problems={problems} onChange={onChange} />
    </SpaceBetween>
  );
}

const none = { value: '', label: 'None' };

/** Prevents endless loops between two systems: a receiver does not get its own changes back. */
export function EchoFields({ draft, problems, onChange }: OutboundFieldsProps) {
  const { client } = useApi();
  const { data, loading } = useLoad(['webhooks', 'inbound'], (signal) =>
    collectPages((page) => client.listInboundWebhooks(page, { signal })),
  );
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

interface HeaderEditorProps {
  headers: readonly HeaderRow[];
  /** Shown in place of a stored value. */
  keptText: string;
  onChange(headers: HeaderRow[]): void;
  problems: FieldProblems;
}

export function HeaderEditor({ headers, keptText, onChange, problems }: HeaderEditorProps) {
  const change = (index: number, row: Partial<HeaderRow>) =>
    onChange(headers.map((before, place) => (place === index ? { ...before, ...row } : before)));
  return (
    <FormField
      label="Extra headers"
      description="Sent with each delivery. Values are hidden after you save."
      errorText={problems.headers ?? problems['headers.']}
      stretch
    >
      <AttributeEditor
        items={headers}
        addButtonText="Add header"
        removeButtonText="Remove"
        removeButtonAriaLabel={({ name }) => `Remove header ${name}`}
        empty="No extra headers."
        onAddButtonClick={() => onChange([...headers, { name: '', value: '', kept: false }])}
        onRemoveButtonClick={({ detail }) => onChange(headers.filter((_, index) => index !== detail.itemIndex))}
        definition={[
          {
            label: 'Name',
            control: ({ name, kept }, index) => (
              <Input
                value={name}
                readOnly={kept}
                placeholder="X-Room"
                onChange={({ detail }) => change(index, { name: detail.value })}
              />
            ),
            errorText: ({ name }) => (name === '' ? undefined : problems[`headers.${name}`]),
          },
          {
            label: 'Value',
            control: ({ value, kept }, index) => (
              <Input
                value={value}
                placeholder={kept ? keptText : ''}
                onChange={({ detail }) => change(index, { value: detail.value, kept: false })}
              />
            ),
          },
        ]}
      />
    </FormField>
  );
}
