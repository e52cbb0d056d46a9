import AttributeEditor, { type AttributeEditorProps } from '@cloudscape-design/components/attribute-editor';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import RadioGroup from '@cloudscape-design/components/radio-group';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useApi } from '../../app/api.ts';
import { collectPages } from '../../records/paging.ts';
import { useLoad } from '../../records/use-load.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { FilterEditor } from './filters.tsx';
import { type InboundDraft, listFreeFields, type MappingRow } from './inbound-draft.ts';
import type { WebhookFieldsProps } from './webhook-form.tsx';
import { type Action, actionNames } from './webhook-words.ts';

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
          selectedOption={actions.find(({ value }) => value === draft.action) ?? null}
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

/** How an event finds its incident. */
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
  const { data, loading } = useLoad(['webhooks', 'inbound'], (signal) =>
    collectPages((page) => client.listInboundWebhooks(page, { signal })),
  );
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

interface MappingEditorProps {
  draft: InboundDraft;
  onChange(mapping: MappingRow[]): void;
  problems: FieldProblems;
}

/** One column on small screens. */
const layout: AttributeEditorProps.GridLayout[] = [{ breakpoint: 'xs', rows: [[1, 2]] }, { rows: [[1], [1]] }];

export function MappingEditor(props: MappingEditorProps) {
  const { draft, onChange, problems } = props;
  const free = listFreeFields(draft);
  return (
    <FormField label="Field mapping" description={<Grammar />} errorText={problemWithoutRow(draft, problems)} stretch>
      <AttributeEditor
        items={draft.mapping}
        addButtonText="Add field"
        removeButtonText="Remove"
        removeButtonAriaLabel={({ field }) => `Remove mapping for ${field}`}
        disableAddButton={free.length === 0}
        empty="No mapped fields."
        gridLayout={layout}
        onAddButtonClick={() => onChange([...draft.mapping, { field: free[0] ?? '', template: '' }])}
        onRemoveButtonClick={({ detail }) => onChange(draft.mapping.filter((_, index) => index !== detail.itemIndex))}
        definition={createColumns(props, free)}
      />
    </FormField>
  );
}

function Grammar() {
  return (
    <>
      Text with placeholders such as <code>{'{{alert.labels.host}}'}</code>. Filters: <code>default:"x"</code>,{' '}
      <code>upper</code>, <code>lower</code>, <code>truncate:n</code>, <code>map:"crit=P1,warn=P2"</code>. Empty results
      leave the field unchanged.
    </>
  );
}

function createColumns({ draft, onChange, problems }: MappingEditorProps, free: readonly string[]) {
  const change = (index: number, row: Partial<MappingRow>) =>
    onChange(draft.mapping.map((before, place) => (place === index ? { ...before, ...row } : before)));
  const field = (row: MappingRow, index: number) => (
    <Select
      selectedOption={{ value: row.field, label: row.field }}
      options={[row.field, ...free].map((value) => ({ value, label: value }))}
      onChange={({ detail }) => change(index, { field: detail.selectedOption.value ?? '' })}
    />
  );
  const template = (row: MappingRow, index: number) => (
    <Input
      value={row.template}
      ariaLabel={`Template for ${row.field}`}
      spellcheck={false}
      placeholder="{{path.in.payload}}"
      onChange={({ detail }) => change(index, { template: detail.value })}
    />
  );
  return [
    { label: 'Field', control: field },
    { label: 'Template', control: template, errorText: (row: MappingRow) => problems[`field_mapping.${row.field}`] },
  ];
}

/** The problem of a required field that is not mapped and so has no row. */
function problemWithoutRow({ mapping }: InboundDraft, problems: FieldProblems): string | undefined {
  const rows = new Set(mapping.map(({ field }) => `field_mapping.${field}`));
  const found = Object.entries(problems).find(([field]) => field.startsWith('field_mapping') && !rows.has(field));
  return found && `${found[0].replace('field_mapping.', '')}: ${found[1]}`;
}
