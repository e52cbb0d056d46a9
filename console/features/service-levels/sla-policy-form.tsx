import type { SlaPolicy } from '../../../contract/sla-policies.ts';
import { changeTypes, pausableStates, priorities, type SlaKind, slaKinds } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { useDirectory } from '../../records/directory.ts';
import { createNamedPages, type FormFrame, NamedForm, NumberField } from '../../records/named-form.tsx';
import { toOptions } from '../../resources/weekly-hours.tsx';
import { Columns, Combobox, FormField, MultiSelect, Select } from '../../ui/kit/index.ts';
import { serviceLevelsPath } from '../../ui/record-path.ts';

type PolicyDraft = Omit<SlaPolicy, 'id' | 'number' | 'deleted' | 'created_at' | 'updated_at' | 'description'>;

const emptyPolicy: PolicyDraft = {
  name: '',
  kind: 'incident',
  assignment_group: null,
  category: null,
  priority: null,
  acknowledge_minutes: null,
  resolve_minutes: 480,
  calendar_id: null,
  pause_states: ['on_hold'],
  warning_percent: 75,
};

const kindOptions = [
  { value: 'incident', label: 'Incidents' },
  { value: 'request', label: 'Service requests' },
  { value: 'change', label: 'Changes' },
] satisfies { value: SlaKind; label: string }[];

const anyOption = { value: '', label: 'All' };

const categoryNames = { incident: 'Category', request: 'Catalog item', change: 'Type of the change' } as const;

function PolicyForm(frame: FormFrame<PolicyDraft>) {
  const { client } = useApi();
  const { groups } = useDirectory();
  const calendars = useLoad(['calendars'], (signal) => client.listSlaCalendars({ limit: 200 }, { signal }));
  const calendarOptions = (calendars.data?.data ?? []).map(({ id: value, name }) => ({ value, label: name }));
  return (
    <NamedForm {...frame}>
      {(draft, change, problems) => (
        <>
          <FormField label="Records" errorText={problems.kind}>
            <Select
              value={draft.kind}
              options={kindOptions}
              onChange={(value) => {
                const kind = slaKinds.find((each) => each === value) ?? 'incident';
                const none = { assignment_group: null, category: null, priority: null, acknowledge_minutes: null };
                change({ kind, ...none, pause_states: kind === 'incident' ? ['on_hold'] : [] });
              }}
            />
          </FormField>
          <Columns count={3}>
            {draft.kind !== 'request' && (
              <FormField label="Group (optional)" errorText={problems.assignment_group}>
                <Combobox
                  value={draft.assignment_group ?? ''}
                  options={(groups?.data ?? []).map(({ name }) => ({ value: name }))}
                  onChange={(value) => change({ assignment_group: value || null })}
                />
              </FormField>
            )}
            <FormField label={`${categoryNames[draft.kind]} (optional)`} errorText={problems.category}>
              <Combobox
                value={draft.category ?? ''}
                options={draft.kind === 'change' ? changeTypes.map((value) => ({ value })) : []}
                onChange={(value) => change({ category: value || null })}
              />
            </FormField>
            {draft.kind === 'incident' && (
              <FormField label="Priority" errorText={problems.priority}>
                <Select
                  value={draft.priority ?? ''}
                  options={[anyOption, ...priorities.map((value) => ({ value, label: value }))]}
                  onChange={(value) => change({ priority: priorities.find((each) => each === value) ?? null })}
                />
              </FormField>
            )}
          </Columns>
          <Columns count={3}>
            {draft.kind === 'incident' && (
              <NumberField
                label="Acknowledge within (optional)"
                description="Minutes."
                value={draft.acknowledge_minutes}
                errorText={problems.acknowledge_minutes}
                onChange={(acknowledge_minutes) => change({ acknowledge_minutes })}
              />
            )}
            <NumberField
              label="Resolve within"
              description="Minutes."
              value={draft.resolve_minutes}
              errorText={problems.resolve_minutes}
              onChange={(value) => change({ resolve_minutes: value ?? 0 })}
            />
            <NumberField
              label="Warn after"
              description="Percent of the target."
              value={draft.warning_percent}
              errorText={problems.warning_percent}
              onChange={(value) => change({ warning_percent: value ?? 0 })}
            />
          </Columns>
          <FormField label="Calendar" description="Time counts in its open hours." errorText={problems.calendar_id}>
            <Select
              value={draft.calendar_id ?? ''}
              options={[{ value: '', label: 'Around the clock' }, ...calendarOptions]}
              onChange={(value) => change({ calendar_id: value || null })}
            />
          </FormField>
          <FormField label="Paused in" errorText={problems.pause_states} stretch>
            <MultiSelect
              values={draft.pause_states}
              options={toOptions(pausableStates[draft.kind])}
              placeholder="Never"
              onChange={(states) => change({ pause_states: [...states] })}
            />
          </FormField>
        </>
      )}
    </NamedForm>
  );
}

export const { CreatePage: CreateSlaPolicyPage, EditPage: EditSlaPolicyPage } = createNamedPages<PolicyDraft>({
  name: 'SlaPolicy',
  thing: 'SLA policy',
  listTo: serviceLevelsPath,
  consequence: 'Open records get the next policy that covers them, or the default targets.',
  empty: () => emptyPolicy,
  Form: PolicyForm,
});
