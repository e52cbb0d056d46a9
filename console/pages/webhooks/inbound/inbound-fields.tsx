import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { FilterEditor } from '../parts/filter-editor.tsx';
import type { WebhookFieldsProps } from '../parts/webhook-form.tsx';
import { type Action, actionNames } from '../webhook-words.ts';
import type { InboundDraft } from './inbound-draft.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { TargetFields } from './target-fields.tsx';

export type InboundFieldsProps = WebhookFieldsProps<InboundDraft>;

const actions = Object.entries(actionNames).map(([value, label]) => ({ value, label }));

export function InboundFields(props: InboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Sender</Header>}>
        <SenderFields {...props} />
      </Container>
      <Container header={<Header variant="h2">Action</Header>}>
        <EffectFields {...props} />
      </Container>
    </SpaceBetween>
  );
}

function SenderFields({ draft, problems, onChange }: InboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <FormField label="Name" description="Used to identify the source of incidents." errorText={problems.name}>
        <Input
          value={draft.name}
          placeholder="Prometheus"
          onChange={({ detail }) => onChange({ name: detail.value })}
        />
      </FormField>
      <FormField label={<Optional>Description</Optional>} errorText={problems.description} stretch>
        <Input value={draft.description} onChange={({ detail }) => onChange({ description: detail.value })} />
      </FormField>
      <Checkbox
        checked={draft.secret_enabled}
        description="Without a secret, anyone who knows the URL can send events."
        onChange={({ detail }) => onChange({ secret_enabled: detail.checked })}
      >
        Require signed events
      </Checkbox>
      {draft.secret_enabled && (
        <Checkbox
          checked={draft.accept_repeated_bodies}
          description="By default, an identical signed event is accepted once every 24 hours to prevent replay attacks. Turn this on only if the events contain neither a timestamp nor an ID."
          onChange={({ detail }) => onChange({ accept_repeated_bodies: detail.checked })}
        >
          Accept repeated events
        </Checkbox>
      )}
      <Checkbox
        checked={draft.active}
        description="Inactive webhooks reject events with 404 Not Found."
        onChange={({ detail }) => onChange({ active: detail.checked })}
      >
        Active
      </Checkbox>
    </SpaceBetween>
  );
}

function EffectFields({ draft, problems, onChange }: InboundFieldsProps) {
  return (
    <SpaceBetween size="l">
      <FormField label="Action" errorText={problems.action}>
        <Select
          selectedOption={actions.find(({ value }) => value === draft.action)!}
          options={actions}
          onChange={({ detail }) => onChange({ action: detail.selectedOption.value as Action })}
        />
      </FormField>
      <TargetFields draft={draft} problems={problems} onChange={onChange} />
      <MappingEditor draft={draft} problems={problems} onChange={(mapping) => onChange({ mapping })} />
      <FilterEditor
        filters={draft.filters}
        problems={problems}
        example="alert.status"
        onChange={(filters) => onChange({ filters })}
      />
    </SpaceBetween>
  );
}

function Optional({ children }: { children: string }) {
  return (
    <span>
      {children} <i>- optional</i>
    </span>
  );
}
