import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Multiselect from '@cloudscape-design/components/multiselect';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { useRef, useState } from 'react';
import { shiftUnits, weekdays } from '../../../contract/on-call-values.ts';
import type { Restriction, Schedule, ScheduleLayer } from '../../../contract/schedules.ts';
import { useApi } from '../../base/api.ts';
import { replaceLocation } from '../../base/router.ts';
import { serverNow } from '../../base/server-clock.ts';
import { useLoad } from '../../base/use-load.ts';
import { RequireRole } from '../../records/require-role.tsx';
import { splitProblem } from '../../ui/field-problems.ts';
import { focusFirstProblem, RecordForm } from '../../ui/forms.tsx';
import { PageLayout } from '../../ui/layouts.tsx';
import { ActionModal } from '../../ui/modals.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { formatLocalDay } from '../../ui/time.ts';
import { useAction } from '../../ui/use-action.ts';
import { onCallPath } from './on-call-words.ts';

type ScheduleDraft = Pick<Schedule, 'name' | 'description' | 'time_zone' | 'layers'>;

export function CreateSchedulePage() {
  const draft = {
    name: '',
    description: null,
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    layers: [createLayer(1)],
  };
  return (
    <RequireRole minRole="itsm_manager" action="create schedules" title="Create schedule">
      <PageLayout title="Create schedule">
        <ScheduleForm before={draft} />
      </PageLayout>
    </RequireRole>
  );
}

export function EditSchedulePage({ id }: { id: string }) {
  const { client } = useApi();
  const { data, problem, reload } = useLoad(['schedules', id, 'edit'], (signal) =>
    client.getSchedule({ id }, { signal }),
  );
  const [isDeleting, setDeleting] = useState(false);
  const remove = async () => {
    await client.deleteSchedule({ id });
    replaceLocation(onCallPath);
  };
  return (
    <RequireRole minRole="itsm_manager" action="edit schedules" title="Edit schedule">
      <PageLayout title="Edit schedule" actions={<Button onClick={() => setDeleting(true)}>Delete</Button>}>
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {data ? <ScheduleForm before={data} id={id} /> : <FactsSkeleton facts={6} label="Loading schedule" />}
        {isDeleting && (
          <ActionModal title="Delete schedule" confirmText="Delete" run={remove} onClose={() => setDeleting(false)}>
            Nobody is on call in this schedule any more, and its calendar feed ends.
          </ActionModal>
        )}
      </PageLayout>
    </RequireRole>
  );
}

const timeZones = Intl.supportedValuesOf('timeZone').map((value) => ({ value }));

function ScheduleForm({ before, id }: { before: ScheduleDraft; id?: string }) {
  const { client } = useApi();
  const form = useRef<HTMLFormElement>(null);
  const action = useAction();
  const [draft, setDraft] = useState<ScheduleDraft>(() => ({
    name: before.name,
    description: before.description,
    time_zone: before.time_zone,
    layers: before.layers,
  }));
  const { byField, rest } = splitProblem(action.problem, () => true);
  const change = (fields: Partial<ScheduleDraft>) => setDraft({ ...draft, ...fields });
  const changeLayer = (place: number, layer: ScheduleLayer) =>
    change({ layers: draft.layers.map((each, index) => (index === place ? layer : each)) });
  const save = async () => {
    const isDone = await action.run(async () => {
      if (id === undefined) await client.createSchedule(draft);
      else await client.updateSchedule({ id }, draft);
    });
    if (isDone) replaceLocation(onCallPath);
    else focusFirstProblem(form.current);
  };
  return (
    <RecordForm
      ref={form}
      submitText={id === undefined ? 'Create schedule' : 'Save'}
      onSubmit={save}
      saving={action.busy}
      cancelTo={onCallPath}
      isChanged={draft.layers !== before.layers || draft.time_zone !== before.time_zone}
    >
      {rest !== undefined && <ProblemView problem={rest} />}
      <Container>
        <SpaceBetween size="l">
          <FormField label="Name" errorText={byField.name} stretch>
            <Input value={draft.name} ariaRequired onChange={({ detail }) => change({ name: detail.value })} />
          </FormField>
          <FormField label="Description (optional)" errorText={byField.description} stretch>
            <Textarea
              rows={2}
              value={draft.description ?? ''}
              onChange={({ detail }) => change({ description: detail.value || null })}
            />
          </FormField>
          <FormField
            label="Time zone"
            errorText={byField.time_zone}
            description="A hand-off at 09:00 stays at 09:00 there."
          >
            <Select
              selectedOption={{ value: draft.time_zone }}
              options={timeZones}
              filteringType="auto"
              onChange={({ detail }) => change({ time_zone: detail.selectedOption.value ?? 'UTC' })}
            />
          </FormField>
        </SpaceBetween>
      </Container>
      {draft.layers.map((layer, place) => (
        <LayerFields
          // biome-ignore lint/suspicious/noArrayIndexKey: the position of a layer is its identity
          key={place}
          layer={layer}
          place={place}
          problems={byField}
          onChange={(next) => changeLayer(place, next)}
          {...(draft.layers.length > 1 && {
            onRemove: () => change({ layers: draft.layers.filter((_, index) => index !== place) }),
          })}
        />
      ))}
      <Button
        formAction="none"
        iconName="add-plus"
        disabled={draft.layers.length >= 10}
        onClick={() => change({ layers: [...draft.layers, createLayer(draft.layers.length + 1)] })}
      >
        Add layer
      </Button>
    </RecordForm>
  );
}

function createLayer(number: number): ScheduleLayer {
  return {
    name: `Layer ${number}`,
    people: [],
    shift_length: 1,
    shift_unit: 'weeks',
    handoff_time: '09:00',
    handoff_weekday: 'monday',
    starts_on: formatLocalDay(new Date(serverNow())),
    ends_on: null,
    restrictions: [],
  };
}

interface LayerFieldsProps {
  layer: ScheduleLayer;
  place: number;
  problems: Readonly<Record<string, string>>;
  onChange(layer: ScheduleLayer): void;
  onRemove?: () => void;
}

const toOptions = <Value extends string>(values: readonly Value[]) =>
  values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }));

const [dayOptions, unitOptions] = [toOptions(weekdays), toOptions(shiftUnits)];

function LayerFields({ layer, place, problems, onChange, onRemove }: LayerFieldsProps) {
  const change = (fields: Partial<ScheduleLayer>) => onChange({ ...layer, ...fields });
  const find = (field: string) => problems[`layers[${place}].${field}`];
  const number = place + 1;
  const peopleProblem =
    find('people') ?? Object.entries(problems).find(([name]) => name.startsWith(`layers[${place}].people[`))?.[1];
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={place === 0 ? 'Decides who is on call.' : 'Covers the gaps of the layers above.'}
          actions={
            onRemove && (
              <Button formAction="none" onClick={onRemove} ariaLabel={`Remove layer ${number}`}>
                Remove
              </Button>
            )
          }
        >
          Layer {number}
        </Header>
      }
    >
      <SpaceBetween size="l">
        <FormField label="Name of the layer" errorText={find('name')} stretch>
          <Input value={layer.name} onChange={({ detail }) => change({ name: detail.value })} />
        </FormField>
        <FormField
          label="People"
          description="One address per line, in the order of their turns."
          errorText={peopleProblem}
          stretch
        >
          <Textarea
            rows={3}
            value={layer.people.join('\n')}
            spellcheck={false}
            onChange={({ detail }) => change({ people: splitLines(detail.value) })}
            onBlur={() => change({ people: layer.people.map((one) => one.trim()).filter((one) => one !== '') })}
          />
        </FormField>
        <ColumnLayout columns={3}>
          <FormField label="Length of a shift" errorText={find('shift_length')}>
            <Input
              type="number"
              value={String(layer.shift_length)}
              onChange={({ detail }) => change({ shift_length: Number(detail.value) })}
            />
          </FormField>
          <FormField label="Unit" errorText={find('shift_unit')}>
            <Select
              selectedOption={unitOptions.find(({ value }) => value === layer.shift_unit) ?? null}
              options={unitOptions}
              onChange={({ detail }) => {
                const shift_unit = detail.selectedOption.value as ScheduleLayer['shift_unit'];
                change({ shift_unit, handoff_weekday: shift_unit === 'weeks' ? 'monday' : null });
              }}
            />
          </FormField>
          {layer.handoff_weekday !== null && (
            <FormField label="Day of the hand-off" errorText={find('handoff_weekday')}>
              <Select
                selectedOption={dayOptions.find(({ value }) => value === layer.handoff_weekday) ?? null}
                options={dayOptions}
                onChange={({ detail }) =>
                  change({ handoff_weekday: detail.selectedOption.value as ScheduleLayer['handoff_weekday'] })
                }
              />
            </FormField>
          )}
          <FormField label="Time of the hand-off" errorText={find('handoff_time')}>
            <Input
              value={layer.handoff_time}
              placeholder="hh:mm"
              onChange={({ detail }) => change({ handoff_time: detail.value })}
            />
          </FormField>
          <FormField label="Starts on" errorText={find('starts_on')}>
            <Input
              value={layer.starts_on}
              placeholder="YYYY-MM-DD"
              onChange={({ detail }) => change({ starts_on: detail.value })}
            />
          </FormField>
          <FormField label="Ends on (optional)" errorText={find('ends_on')}>
            <Input
              value={layer.ends_on ?? ''}
              placeholder="YYYY-MM-DD"
              onChange={({ detail }) => change({ ends_on: detail.value || null })}
            />
          </FormField>
        </ColumnLayout>
        {layer.restrictions.map((restriction, index) => (
          <RestrictionFields
            // biome-ignore lint/suspicious/noArrayIndexKey: restrictions have no identity
            key={index}
            restriction={restriction}
            errorText={
              Object.entries(problems).find(([name]) => name.startsWith(`layers[${place}].restrictions[${index}]`))?.[1]
            }
            onChange={(next) =>
              change({ restrictions: layer.restrictions.map((each, at) => (at === index ? next : each)) })
            }
            onRemove={() => change({ restrictions: layer.restrictions.filter((_, at) => at !== index) })}
          />
        ))}
        <Button
          formAction="none"
          disabled={layer.restrictions.length >= 14}
          onClick={() => change({ restrictions: [...layer.restrictions, workingHours] })}
        >
          Add restriction
        </Button>
      </SpaceBetween>
    </Container>
  );
}

const workingHours: Restriction = { weekdays: weekdays.slice(0, 5), from: '09:00', to: '17:00' };

interface RestrictionFieldsProps {
  restriction: Restriction;
  errorText: string | undefined;
  onChange(restriction: Restriction): void;
  onRemove(): void;
}

function RestrictionFields({ restriction, errorText, onChange, onRemove }: RestrictionFieldsProps) {
  const change = (fields: Partial<Restriction>) => onChange({ ...restriction, ...fields });
  return (
    <FormField label="Only on" errorText={errorText} stretch>
      <SpaceBetween size="xs">
        <Multiselect
          selectedOptions={dayOptions.filter(({ value }) => restriction.weekdays.includes(value))}
          options={dayOptions}
          placeholder="Choose days"
          onChange={({ detail }) =>
            change({ weekdays: detail.selectedOptions.map(({ value }) => value as Restriction['weekdays'][number]) })
          }
        />
        <div className="with-button">
          <Input value={restriction.from} ariaLabel="From" onChange={({ detail }) => change({ from: detail.value })} />
          <Input value={restriction.to} ariaLabel="To" onChange={({ detail }) => change({ to: detail.value })} />
          <Button formAction="none" iconName="remove" ariaLabel="Remove restriction" onClick={onRemove} />
        </div>
      </SpaceBetween>
    </FormField>
  );
}

/** An empty line stays while the user types. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
