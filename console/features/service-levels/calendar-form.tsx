import { useState } from 'react';
import type { Calendar, Holiday, HolidayImportResult } from '../../../contract/calendars.ts';
import { useApi } from '../../base/api.ts';
import { timeZone } from '../../base/time-zone.ts';
import { createNamedPages, type FormFrame, NamedForm, type Problems } from '../../records/named-form.tsx';
import { timeZones, WeeklyHoursFields, workingHours } from '../../resources/weekly-hours.tsx';
import { Alert, Button, Checkbox, Container, FormField, Header, Input, Select, Stack } from '../../ui/kit/index.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { serviceLevelsPath } from '../../ui/record-path.ts';
import { useAction } from '../../ui/use-action.ts';

type CalendarDraft = Pick<Calendar, 'name' | 'time_zone' | 'hours' | 'holidays'>;

function CalendarForm(frame: FormFrame<CalendarDraft>) {
  return (
    <NamedForm {...frame}>
      {(draft, change, problems) => (
        <>
          <FormField label="Time zone" errorText={problems.time_zone} description="09:00 stays 09:00 there.">
            <Select
              value={draft.time_zone}
              options={timeZones}
              filter={{}}
              onChange={(time_zone) => change({ time_zone })}
            />
          </FormField>
          {draft.hours.map((hours, place) => (
            <WeeklyHoursFields
              // biome-ignore lint/suspicious/noArrayIndexKey: hours have no identity
              key={place}
              label="Open on"
              removeLabel="Remove hours"
              hours={hours}
              errorText={(place === 0 ? problems.hours : undefined) ?? findProblem(problems, `hours[${place}]`)}
              onChange={(next) => change({ hours: draft.hours.map((each, at) => (at === place ? next : each)) })}
              {...(draft.hours.length > 1 && {
                onRemove: () => change({ hours: draft.hours.filter((_, at) => at !== place) }),
              })}
            />
          ))}
          <Button onClick={() => change({ hours: [...draft.hours, workingHours] })}>Add hours</Button>
          {draft.holidays.map((holiday, place) => (
            <HolidayFields
              // biome-ignore lint/suspicious/noArrayIndexKey: holidays have no identity while they are edited
              key={place}
              holiday={holiday}
              number={place + 1}
              errorText={findProblem(problems, `holidays[${place}]`)}
              onChange={(next) => change({ holidays: draft.holidays.map((each, at) => (at === place ? next : each)) })}
              onRemove={() => change({ holidays: draft.holidays.filter((_, at) => at !== place) })}
            />
          ))}
          <Button onClick={() => change({ holidays: [...draft.holidays, { date: '', name: '', yearly: false }] })}>
            Add holiday
          </Button>
        </>
      )}
    </NamedForm>
  );
}

export const { CreatePage: CreateCalendarPage, EditPage: EditCalendarPage } = createNamedPages<CalendarDraft>({
  name: 'SlaCalendar',
  thing: 'calendar',
  listTo: serviceLevelsPath,
  consequence: 'Policies can no longer choose this calendar.',
  empty: () => ({ name: '', time_zone: timeZone.get(), hours: [workingHours], holidays: [] }),
  Form: CalendarForm,
  Above: HolidayImport,
});

function findProblem(problems: Problems, prefix: string): string | undefined {
  return Object.entries(problems).find(([name]) => name.startsWith(prefix))?.[1];
}

interface HolidayFieldsProps {
  holiday: Holiday;
  number: number;
  errorText: string | undefined;
  onChange(holiday: Holiday): void;
  onRemove(): void;
}

function HolidayFields({ holiday, number, errorText, onChange, onRemove }: HolidayFieldsProps) {
  const change = (fields: Partial<Holiday>) => onChange({ ...holiday, ...fields });
  return (
    <FormField label={`Holiday ${number}`} errorText={errorText} stretch>
      <Stack gap="xs">
        <div className="with-button">
          <Input
            value={holiday.date}
            placeholder="YYYY-MM-DD"
            ariaLabel={`Date of holiday ${number}`}
            onChange={(date) => change({ date })}
          />
          <Input
            value={holiday.name}
            placeholder="Name"
            ariaLabel={`Name of holiday ${number}`}
            onChange={(name) => change({ name })}
          />
          <Button icon="remove" ariaLabel={`Remove holiday ${number}`} onClick={onRemove} />
        </div>
        <Checkbox checked={holiday.yearly} onChange={(yearly) => change({ yearly })}>
          Every year
        </Checkbox>
      </Stack>
    </FormField>
  );
}

/** Adds the holidays of a file at once. */
function HolidayImport({ id, onDone }: { id: string; onDone(): void }) {
  const { client } = useApi();
  const action = useAction();
  const [result, setResult] = useState<HolidayImportResult>();
  const read = (file: File | undefined) => {
    if (!file) return;
    void action.run(async () => {
      setResult(await client.importHolidays({ id }, { icalendar: await file.text() }));
      onDone();
    });
  };
  return (
    <Container
      header={<Header description="Public holidays are published as iCalendar files.">Import holidays</Header>}
    >
      <Stack gap="s">
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {result && (
          <Alert type="success">
            {`${result.added} holidays were added; ${result.skipped.length} other events were skipped.`}
          </Alert>
        )}
        <input
          type="file"
          accept=".ics,text/calendar"
          aria-label="iCalendar file"
          onChange={(event) => read(event.target.files?.[0])}
        />
      </Stack>
    </Container>
  );
}
