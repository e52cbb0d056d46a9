import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import TimeInput from '@cloudscape-design/components/time-input';
import type { FieldProblems } from '../field-problems.ts';
import { MarkdownField } from '../markdown/markdown-field.tsx';
import { CiListPicker } from '../pages/cmdb/ci-picker.tsx';
import { RelationsEditor } from '../pages/cmdb/relations-editor.tsx';
import type { Draft, FieldSpec } from './record-draft.ts';
import { fieldNameIn, type RecordWords } from './record-words.ts';

export interface FieldSection {
  title: string;
  fields: readonly FieldSpec[];
}

interface RecordFieldsProps {
  sections: readonly FieldSection[];
  words: RecordWords;
  draft: Draft;
  problems: FieldProblems;
  onChange(field: string, value: string): void;
}

/** The fields of a form, in sections; a section of short fields has them side by side. */
export function RecordFields({ sections, ...rest }: RecordFieldsProps) {
  return (
    <SpaceBetween size="l">
      {sections.map(({ title, fields }) => (
        <Container key={title} header={<Header variant="h2">{title}</Header>}>
          <SpaceBetween size="l">
            {fields.filter(isLong).map((field) => (
              <Field key={field.name} field={field} {...rest} />
            ))}
            {!fields.every(isLong) && (
              <ColumnLayout columns={2}>
                {fields
                  .filter((field) => !isLong(field))
                  .map((field) => (
                    <Field key={field.name} field={field} {...rest} />
                  ))}
              </ColumnLayout>
            )}
          </SpaceBetween>
        </Container>
      ))}
    </SpaceBetween>
  );
}

function isLong({ kind }: FieldSpec): boolean {
  return kind === 'summary' || kind === 'markdown' || kind === 'json' || kind === 'relations';
}

type FieldProps = Omit<RecordFieldsProps, 'sections'> & { field: FieldSpec };

function Field({ field, words, draft, problems, onChange }: FieldProps) {
  const { name, kind, hint } = field;
  const value = draft[name] ?? '';
  const label = fieldNameIn(words, name);
  const change = (next: string) => onChange(name, next);
  if (kind === 'markdown') {
    return <MarkdownField label={label} value={value} onChange={change} errorText={problems[name]} />;
  }
  if (kind === 'relations') return <RelationsEditor value={value} problems={problems} onChange={change} />;
  return (
    <FormField
      label={label}
      description={hint}
      errorText={problemOf(problems, name)}
      constraintText={kind === 'summary' ? `${[...value].length} of 255 characters` : undefined}
      stretch={isLong(field)}
    >
      <Control kind={kind} value={value} label={label} choices={words.values[name] ?? {}} onChange={change} />
    </FormField>
  );
}

interface ControlProps {
  kind: FieldSpec['kind'];
  value: string;
  label: string;
  choices: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

function Control({ kind, value, label, choices, onChange }: ControlProps) {
  if (kind === 'moment') return <MomentInput value={value} label={label} onChange={onChange} />;
  if (kind === 'cis') return <CiListPicker value={value} label={label} onChange={onChange} />;
  if (kind === 'json') {
    return <Textarea rows={6} value={value} spellcheck={false} onChange={({ detail }) => onChange(detail.value)} />;
  }
  if (kind === 'choice') {
    const options = Object.entries(choices).map(([choice, text]) => ({ value: choice, label: text }));
    return (
      <Select
        selectedOption={options.find((option) => option.value === value) ?? null}
        options={options}
        onChange={({ detail }) => onChange(detail.selectedOption.value ?? '')}
      />
    );
  }
  return (
    <Input
      value={value}
      type={kind === 'number' ? 'number' : 'text'}
      autoFocus={kind === 'summary'}
      ariaRequired={kind === 'summary'}
      onChange={({ detail }) => onChange(detail.value)}
    />
  );
}

/** A day and a time in UTC; `2026-03-07T20:00` while it is complete. */
function MomentInput({ value, label, onChange }: Pick<ControlProps, 'value' | 'label' | 'onChange'>) {
  const [day = '', time = ''] = value.split('T');
  const join = (nextDay: string, nextTime: string) =>
    onChange(nextDay === '' ? '' : `${nextDay}T${nextTime || '00:00'}`);
  return (
    <div className="with-button">
      <DatePicker
        value={day}
        placeholder="YYYY/MM/DD"
        ariaLabel={`${label} date`}
        openCalendarAriaLabel={() => 'Choose date'}
        expandToViewport
        onChange={({ detail }) => join(detail.value, time)}
      />
      <TimeInput
        value={time}
        format="hh:mm"
        placeholder="hh:mm"
        ariaLabel={`${label} time (UTC)`}
        disabled={day === ''}
        onChange={({ detail }) => join(day, detail.value)}
      />
    </div>
  );
}

/** A problem of one entry of a list is shown at the list. */
function problemOf(problems: FieldProblems, name: string): string | undefined {
  return problems[name] ?? Object.entries(problems).find(([field]) => field.startsWith(`${name}[`))?.[1];
}
