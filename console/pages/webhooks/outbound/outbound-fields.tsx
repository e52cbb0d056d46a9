import Alert from '@cloudscape-design/components/alert';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { FilterEditor } from '../parts/filter-editor.tsx';
import type { WebhookFieldsProps } from '../parts/webhook-form.tsx';
import { type EventType, eventTypeNames } from '../webhook-words.ts';
import { EchoFields } from './echo-fields.tsx';
import { HeaderEditor } from './header-editor.tsx';
import { hasNewOrigin, type OutboundDraft } from './outbound-draft.ts';

export type OutboundFieldsProps = WebhookFieldsProps<OutboundDraft>;

const eventOptions = Object.entries(eventTypeNames).map(([value, description]) => ({
  value,
  label: value,
  description,
}));

export function OutboundFields(props: OutboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Receiver</Header>}>
        <ReceiverFields {...props} />
      </Container>
      <Container header={<Header variant="h2">Events</Header>}>
        <ToldFields {...props} />
      </Container>
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

function ToldFields({ draft, problems, onChange }: OutboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <FormField label="Events" errorText={problems.events} stretch>
        <Multiselect
          selectedOptions={eventOptions.filter(({ value }) => draft.events.includes(value as EventType))}
          options={eventOptions}
          placeholder="Choose events"
          filteringType="auto"
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
