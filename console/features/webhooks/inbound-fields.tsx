import { useState } from 'react';
import { type InboundPresetName, inboundPresetNames, inboundPresets } from '../../../contract/inbound-presets.ts';
import { useApi } from '../../base/api.ts';
import { collectPages } from '../../base/paging.ts';
import { useLoad } from '../../base/use-load.ts';
import { type Action, actionNames } from '../../resources/webhook-words.ts';
import {
  Checkbox,
  Container,
  Expandable,
  FormField,
  Header,
  Input,
  RadioGroup,
  Select,
  Stack,
} from '../../ui/kit/index.ts';
import { FilterEditor } from './filters.tsx';
import { type InboundDraft, toPresetDraft } from './inbound-draft.ts';
import { DraftLab } from './inbound-lab.tsx';
import { RulesEditor } from './inbound-rules.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import type { WebhookFieldsProps } from './webhook-form.tsx';

export type InboundFieldsProps = WebhookFieldsProps<InboundDraft>;

const actions = Object.entries(actionNames).map(([value, label]) => ({ value, label }));

export function InboundFields(props: InboundFieldsProps) {
  return (
    <Stack>
      <Container header={<Header>Sender</Header>}>
        <SenderFields {...props} />
      </Container>
      <Container header={<Header>Action</Header>}>
        <EffectFields {...props} />
      </Container>
      <Container
        header={
          <Header description="The first rule whose conditions match an event replaces the action above, for example to resolve the incident when the alert ends.">
            Rules
          </Header>
        }
      >
        <RulesEditor {...props} />
      </Container>
      <Expandable
        contained
        title="Test before you save"
        description="Shows what the settings above would do with a payload. Nothing is stored."
      >
        <DraftLab draft={props.draft} />
      </Expandable>
    </Stack>
  );
}

function SenderFields({ draft, problems, onChange }: InboundFieldsProps) {
  return (
    <Stack>
      <PresetField onChange={onChange} />
      <FormField label="Name" description="Used to identify the source of incidents." errorText={problems.name}>
        <Input value={draft.name} placeholder="Prometheus" onChange={(value) => onChange({ name: value })} />
      </FormField>
      <FormField label={<Optional>Description</Optional>} errorText={problems.description} stretch>
        <Input value={draft.description} onChange={(value) => onChange({ description: value })} />
      </FormField>
      {draft.preset === 'cloudwatch' && (
        <FormField
          label="Topic ARN"
          description="Only messages of this Amazon SNS topic are accepted."
          errorText={problems.topic_arn}
          stretch
        >
          <Input
            value={draft.topic_arn}
            spellcheck={false}
            placeholder="arn:aws:sns:eu-central-1:123456789012:alarms"
            onChange={(value) => onChange({ topic_arn: value })}
          />
        </FormField>
      )}
      <Checkbox
        checked={draft.secret_enabled}
        description={describeSigning(draft)}
        onChange={(checked) => onChange({ secret_enabled: checked })}
      >
        Require signed events
      </Checkbox>
      {draft.secret_enabled && (
        <Checkbox
          checked={draft.accept_repeated_bodies}
          description="By default, an identical signed event is accepted once every 24 hours to prevent replay attacks. Turn this on only if the events contain neither a timestamp nor an ID."
          onChange={(checked) => onChange({ accept_repeated_bodies: checked })}
        >
          Accept repeated events
        </Checkbox>
      )}
      <Checkbox
        checked={draft.active}
        description="Inactive webhooks reject events with 404 Not Found."
        onChange={(checked) => onChange({ active: checked })}
      >
        Active
      </Checkbox>
      <FilterEditor
        filters={draft.filters}
        problems={problems}
        description="Every event must match all filters, also events that match a rule. Without filters, every event matches."
        example="alert.environment"
        onChange={(filters) => onChange({ filters })}
      />
    </Stack>
  );
}

function describeSigning({ preset, secret_enabled }: InboundDraft): string {
  if (preset === 'cloudwatch')
    return 'Also accepts events with a signature or access token. Messages of the topic need neither.';
  if (preset && secret_enabled && !inboundPresets[preset].canSign)
    return `${inboundPresets[preset].title} cannot sign events. Let it send an access token, or turn this off: then anyone who knows the URL can send events.`;
  return 'Without a secret, anyone who knows the URL can send events.';
}

const presets = Object.entries(inboundPresets).map(([value, { title }]) => ({ value, label: title }));

/** Fills the form; what it filled in can be changed. */
function PresetField({ onChange }: Pick<InboundFieldsProps, 'onChange'>) {
  const [name, setName] = useState<InboundPresetName>();
  return (
    <FormField
      label={<Optional>Preset</Optional>}
      description="Replaces the action, its conditions and mapping, the rules and the deduplication key below."
      constraintText={name && inboundPresets[name].setup}
    >
      <Select
        value={name}
        options={presets}
        placeholder="Choose the sending system"
        onChange={(value) => {
          const chosen = inboundPresetNames.find((each) => each === value);
          setName(chosen);
          if (chosen) onChange({ ...toPresetDraft(chosen), preset: chosen });
        }}
      />
    </FormField>
  );
}

function EffectFields({ draft, problems, onChange }: InboundFieldsProps) {
  return (
    <Stack>
      <FormField label="Action" errorText={problems.action}>
        <Select value={draft.action} options={actions} onChange={(value) => onChange({ action: value as Action })} />
      </FormField>
      <TargetFields draft={draft} problems={problems} onChange={onChange} />
      <MappingEditor draft={draft} problems={problems} onChange={(mapping) => onChange({ mapping })} />
      <FilterEditor
        name="when"
        filters={draft.when}
        problems={problems}
        description="The action applies to events that match all conditions and no rule. Without conditions, it applies to all other events."
        example="alert.status"
        onChange={(when) => onChange({ when })}
      />
    </Stack>
  );
}

function Optional({ children }: { children: string }) {
  return (
    <span>
      {children} <i>- optional</i>
    </span>
  );
}

/** How an event finds its incident. */
export function TargetFields(props: InboundFieldsProps) {
  if (props.draft.action === 'create_incident') return <KeyField {...props} />;
  return <NamedIncident {...props} />;
}

function NamedIncident(props: InboundFieldsProps) {
  const { draft, problems, onChange } = props;
  const [by, setBy] = useState(draft.dedup_key === '' ? 'id' : 'key');
  return (
    <Stack>
      <FormField label="Find incident by" errorText={by === 'id' ? undefined : problems.incident_id}>
        <RadioGroup
          value={by}
          items={[
            { value: 'id', label: 'Incident ID in the payload' },
            { value: 'key', label: 'Deduplication key of the webhook that created it' },
          ]}
          onChange={(value) => {
            setBy(value);
            onChange(value === 'id' ? { dedup_key: '', dedup_scope: '' } : { incident_id: '' });
          }}
        />
      </FormField>
      {by === 'id' ? (
        <FormField label="Incident ID" errorText={problems.incident_id}>
          <Input
            value={draft.incident_id}
            spellcheck={false}
            placeholder="{{ticket.id}}"
            onChange={(value) => onChange({ incident_id: value })}
          />
        </FormField>
      ) : (
        <KeyField {...props} />
      )}
    </Stack>
  );
}

function KeyField({ draft, problems, onChange }: InboundFieldsProps) {
  const creates = draft.action === 'create_incident';
  return (
    <Stack>
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
          onChange={(value) => onChange({ dedup_key: value })}
        />
      </FormField>
      {draft.dedup_key.trim() !== '' && <ScopeField draft={draft} problems={problems} onChange={onChange} />}
    </Stack>
  );
}

const own = { value: '', label: 'This webhook' };

function ScopeField({ draft, problems, onChange }: InboundFieldsProps) {
  const { client } = useApi();
  const { data, loading } = useLoad(['webhooks', 'inbound'], (signal) =>
    collectPages((page) => client.listInboundWebhooks(page, { signal })),
  );
  const others = (data?.items ?? []).map(({ id, name }) => ({ value: id, label: name, description: id }));
  return (
    <FormField label="Key scope" errorText={problems.dedup_scope}>
      <Select
        value={draft.dedup_scope}
        options={[own, ...others]}
        loading={loading}
        filter={{ label: 'Find scopes' }}
        onChange={(value) => onChange({ dedup_scope: value })}
      />
    </FormField>
  );
}
