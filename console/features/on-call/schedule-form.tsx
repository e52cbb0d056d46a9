import { shiftUnits } from '../../../contract/on-call-values.ts';
import type { Schedule, ScheduleLayer } from '../../../contract/schedules.ts';
import { serverNow } from '../../base/server-clock.ts';
import { timeZone } from '../../base/time-zone.ts';
import { createNamedPages, type FormFrame, FormParts, NamedForm } from '../../records/named-form.tsx';
import { dayOptions, timeZones, toOptions, WeeklyHoursFields, workingHours } from '../../resources/weekly-hours.tsx';
import { Button, Columns, Container, FormField, Header, Input, Select, Stack, Textarea } from '../../ui/kit/index.ts';
import { formatLocalDay } from '../../ui/time.ts';
import { onCallPath } from './on-call-words.ts';

type ScheduleDraft = Pick<Schedule, 'name' | 'description' | 'time_zone' | 'layers'>;

function ScheduleForm(frame: FormFrame<ScheduleDraft>) {
  return (
    <NamedForm
      {...frame}
      parts={({ layers }, change, problems) => (
        <FormParts
          parts={layers}
          empty={() => createLayer(layers.length + 1)}
          addText="Add layer"
          onChange={(next) => change({ layers: next })}
          render={(layer, place, edit) => (
            <LayerFields key={place} layer={layer} place={place} problems={problems} {...edit} />
          )}
        />
      )}
    >
      {({ description, time_zone }, change, problems) => (
        <>
          <FormField label="Description (optional)" errorText={problems.description} stretch>
            <Textarea rows={2} value={description ?? ''} onChange={(value) => change({ description: value || null })} />
          </FormField>
          <FormField
            label="Time zone"
            errorText={problems.time_zone}
            description="A hand-off at 09:00 stays at 09:00 there."
          >
            <Select
              value={time_zone}
              options={timeZones}
              filter={{}}
              onChange={(value) => change({ time_zone: value })}
            />
          </FormField>
        </>
      )}
    </NamedForm>
  );
}

export const { CreatePage: CreateSchedulePage, EditPage: EditSchedulePage } = createNamedPages<ScheduleDraft>({
  name: 'Schedule',
  thing: 'schedule',
  listTo: onCallPath,
  consequence: 'Nobody is on call in this schedule any more, and its calendar feed ends.',
  empty: () => ({ name: '', description: null, time_zone: timeZone.get(), layers: [createLayer(1)] }),
  Form: ScheduleForm,
});

function createLayer(number: number): ScheduleLayer {
  return {
    name: `Layer ${number}`,
    people: [],
    shift_length: 1,
    shift_unit: 'weeks',
    handoff_time: '09:00',
    handoff_weekday: 'monday',
    // Since yesterday, so that somebody is on call at once, also before the hand-off time of today.
    starts_on: formatLocalDay(new Date(serverNow() - 86_400_000)),
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

const unitOptions = toOptions(shiftUnits);

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
          description={place === 0 ? 'Decides who is on call.' : 'Covers the gaps of the layers above.'}
          actions={
            onRemove && (
              <Button onClick={onRemove} ariaLabel={`Remove layer ${number}`}>
                Remove
              </Button>
            )
          }
        >
          Layer {number}
        </Header>
      }
    >
      <Stack>
        <FormField label="Name of the layer" errorText={find('name')} stretch>
          <Input value={layer.name} onChange={(value) => change({ name: value })} />
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
            onChange={(value) => change({ people: splitLines(value) })}
            onBlur={() => change({ people: layer.people.map((one) => one.trim()).filter((one) => one !== '') })}
          />
        </FormField>
        <Columns count={3}>
          <FormField label="Length of a shift" errorText={find('shift_length')}>
            <Input
              type="number"
              value={String(layer.shift_length)}
              onChange={(value) => change({ shift_length: Number(value) })}
            />
          </FormField>
          <FormField label="Unit" errorText={find('shift_unit')}>
            <Select
              value={layer.shift_unit}
              options={unitOptions}
              onChange={(value) => {
                const shift_unit = value as ScheduleLayer['shift_unit'];
                change({ shift_unit, handoff_weekday: shift_unit === 'weeks' ? 'monday' : null });
              }}
            />
          </FormField>
          {layer.handoff_weekday !== null && (
            <FormField label="Day of the hand-off" errorText={find('handoff_weekday')}>
              <Select
                value={layer.handoff_weekday}
                options={dayOptions}
                onChange={(value) => change({ handoff_weekday: value as ScheduleLayer['handoff_weekday'] })}
              />
            </FormField>
          )}
          <FormField label="Time of the hand-off" errorText={find('handoff_time')}>
            <Input
              value={layer.handoff_time}
              placeholder="hh:mm"
              onChange={(value) => change({ handoff_time: value })}
            />
          </FormField>
          <FormField label="Starts on" errorText={find('starts_on')}>
            <Input
              value={layer.starts_on}
              placeholder="YYYY-MM-DD"
              onChange={(value) => change({ starts_on: value })}
            />
          </FormField>
          <FormField label="Ends on (optional)" errorText={find('ends_on')}>
            <Input
              value={layer.ends_on ?? ''}
              placeholder="YYYY-MM-DD"
              onChange={(value) => change({ ends_on: value || null })}
            />
          </FormField>
        </Columns>
        {layer.restrictions.map((restriction, index) => (
          <WeeklyHoursFields
            label="Only on"
            removeLabel="Remove restriction"
            // biome-ignore lint/suspicious/noArrayIndexKey: restrictions have no identity
            key={index}
            hours={restriction}
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
          disabled={layer.restrictions.length >= 14}
          onClick={() => change({ restrictions: [...layer.restrictions, workingHours] })}
        >
          Add restriction
        </Button>
      </Stack>
    </Container>
  );
}

/** An empty line stays while the user types. */
function splitLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
