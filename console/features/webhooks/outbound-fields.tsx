import { useApi } from '../../base/api.ts';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import { type EventType, eventTypeNames } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { Alert, AttributeEditor, Checkbox, FormField, Input, MultiSelect, Select, Stack } from '../../ui/kit/index.ts';
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
    <Stack>
      <Panel title="Receiver">
        <ReceiverFields {...props} />
      </Panel>
      <Panel title="Events">
        <EventFields {...props} />
      </Panel>
    </Stack>
  );
}

function ReceiverFields({ draft, problems, onChange }: OutboundFieldsProps) {
  return (
    <Stack>
      <FormField label="Name" errorText={problems.name}>
        <Input value={draft.name} onChange={(value) => onChange({ name: value })} />
      </FormField>
      <FormField label="URL" description="A public HTTPS URL." errorText={problems.url} stretch>
        <Input
          type="url"
          value={draft.url}
          placeholder="https://hooks.example.com/incidents"
          onChange={(value) => onChange({ url: value })}
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
          value={draft.format}
          options={formatOptions}
          onChange={(value) => onChange({ format: value as OutboundDraft['format'] })}
        />
      </FormField>
      <FormField label="Timeout" description="Maximum response time in seconds." errorText={problems.timeout_seconds}>
        <Input
          type="number"
          inputMode="numeric"
          value={draft.timeout_seconds}
          onChange={(value) => onChange({ timeout_seconds: value })}
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
        onChange={(checked) => onChange({ sign_payloads: checked })}
      >
        Sign deliveries with a secret
      </Checkbox>
      <Checkbox
        checked={draft.active}
        description="Deactivating cancels pending deliveries."
        onChange={(checked) => onChange({ active: checked })}
      >
        Active
      </Checkbox>
    </Stack>
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
    <Stack>
      <FormField label="Events" errorText={problems.events} stretch>
        <MultiSelect
          values={draft.events}
          options={eventOptions}
          placeholder="Choose events"
          filter={{ label: 'Find events' }}
          onChange={(events) => onChange({ events: events as EventType[] })}
        />
      </FormField>
      <FilterEditor
        filters={draft.filters}
        problems={problems}
        example="incident.priority"
        onChange={(filters) => onChange({ filters })}
      />
      <EchoFields draft={draft} problems={problems} onChange={onChange} />
    </Stack>
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
  return (
    <Stack>
      <FormField
        label="Linked inbound webhook"
        description="Changes made through this inbound webhook are not sent back to the receiver."
        errorText={problems.inbound_webhook_id}
      >
        <Select
          value={draft.inbound_webhook_id}
          options={[none, ...inbound]}
          loading={loading}
          onChange={(value) => onChange({ inbound_webhook_id: value })}
        />
      </FormField>
      <FormField
        label="Receiver’s API client"
        description="Changes made by this API client are not sent back to the receiver. Enter the client ID."
        errorText={problems.client_id}
      >
        <Input value={draft.client_id} onChange={(value) => onChange({ client_id: value })} />
      </FormField>
      {(draft.inbound_webhook_id !== '' || draft.client_id !== '') && (
        <Checkbox checked={draft.include_own} onChange={(checked) => onChange({ include_own: checked })}>
          Send the receiver its own changes
        </Checkbox>
      )}
    </Stack>
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
        addText="Add header"
        removeLabel={({ name }) => `Remove header ${name}`}
        empty="No extra headers."
        onAdd={() => onChange([...headers, { name: '', value: '', kept: false }])}
        onChange={onChange}
        columns={[
          {
            label: 'Name',
            control: ({ name, kept }, index) => (
              <Input
                value={name}
                readOnly={kept}
                placeholder="X-Room"
                onChange={(value) => change(index, { name: value })}
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
                onChange={(next) => change(index, { value: next, kept: false })}
              />
            ),
          },
        ]}
      />
    </FormField>
  );
}
