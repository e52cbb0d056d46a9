import type { ComponentType, ReactNode } from 'react';
import { type FieldProblems, findListProblem } from '../ui/field-problems.ts';
import { Columns, Expandable, FormField, Input, Select, Stack, Textarea } from '../ui/kit/index.ts';
import { Panel } from '../ui/layouts.tsx';
import { MarkdownField } from '../ui/markdown.tsx';
import { formatPlannedTime, fromLocalMoment } from '../ui/time.ts';
import type { CustomKind, Draft, FieldSection, FieldSpec } from './record-draft.ts';
import { formatFieldName, type RecordWords } from './record-words.ts';

export interface CustomFieldProps {
  name: string;
  label: string;
  value: string;
  problems: FieldProblems;
  onChange(value: string): void;
}

/** The controls of the kinds that belong to a feature. */
export type CustomControls = Readonly<Partial<Record<CustomKind, ComponentType<CustomFieldProps>>>>;

interface RecordFieldsProps {
  sections: readonly FieldSection[];
  words: RecordWords;
  draft: Draft;
  problems: FieldProblems;
  controls: CustomControls;
  onChange(field: string, value: string): void;
  /** Shown below the fields of a section, by its title. */
  below?: Readonly<Record<string, ReactNode>>;
}

/** The fields of a form in sections, with short fields side by side. */
export function RecordFields({ sections, below, ...rest }: RecordFieldsProps) {
  return (
    <Stack>
      {sections.map((section) => (
        <Section key={section.title} section={section} {...rest}>
          <Stack>
            {section.fields.filter(isLong).map((field) => (
              <Field key={field.name} field={field} {...rest} />
            ))}
            {!section.fields.every(isLong) && (
              <Columns count={2}>
                {section.fields
                  .filter((field) => !isLong(field))
                  .map((field) => (
                    <Field key={field.name} field={field} {...rest} />
                  ))}
              </Columns>
            )}
            {below?.[section.title]}
          </Stack>
        </Section>
      ))}
    </Stack>
  );
}

function Section(
  props: Pick<RecordFieldsProps, 'draft' | 'problems'> & { section: FieldSection; children: ReactNode },
) {
  const { section, draft, problems, children } = props;
  if (!section.collapsible) return <Panel title={section.title}>{children}</Panel>;
  const isUsed = section.fields.some(({ name }) => (draft[name] ?? '') !== '' || problems[name] !== undefined);
  return (
    <Expandable contained title={section.title} defaultExpanded={isUsed}>
      {children}
    </Expandable>
  );
}

function isLong({ kind }: FieldSpec): boolean {
  return kind === 'summary' || kind === 'markdown' || kind === 'json' || kind === 'relations';
}

type FieldProps = Omit<RecordFieldsProps, 'sections' | 'below'> & { field: FieldSpec };

function Field({ field, words, draft, problems, controls, onChange }: FieldProps) {
  const { name, kind, hint } = field;
  const value = draft[name] ?? '';
  const label = formatFieldName(words, name);
  const change = (next: string) => onChange(name, next);
  const Custom = isCustom(kind) ? controls[kind] : undefined;
  if (Custom) return <Custom name={name} label={label} value={value} problems={problems} onChange={change} />;
  if (kind === 'markdown') {
    return (
      <MarkdownField
        label={label}
        description={hint}
        value={value}
        onChange={change}
        errorText={problems[name]}
        {...(field.rows ? { rows: field.rows } : {})}
        {...(field.lines ? { lines: field.lines } : {})}
      />
    );
  }
  return (
    <FormField
      label={label}
      description={hint}
      errorText={findListProblem(problems, name)}
      constraintText={formatConstraint(kind, value)}
      stretch={isLong(field)}
    >
      <Control
        kind={kind}
        value={value}
        label={label}
        choices={field.choices ?? words.values[name] ?? {}}
        onChange={change}
      />
    </FormField>
  );
}

function formatConstraint(kind: FieldSpec['kind'], value: string): string | undefined {
  if (kind === 'summary') return `${[...value].length} of 255 characters`;
  const at = kind === 'moment' ? fromLocalMoment(value) : undefined;
  return at && formatPlannedTime(at);
}

const customKinds: readonly string[] = [
  'ci',
  'cis',
  'relations',
  'suggested',
  'assignee',
  'item',
] satisfies CustomKind[];

function isCustom(kind: FieldSpec['kind']): kind is CustomKind {
  return customKinds.includes(kind);
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
  if (kind === 'json') {
    return <Textarea rows={6} value={value} spellcheck={false} onChange={onChange} />;
  }
  if (kind === 'choice' || kind === 'flag') {
    const options = Object.entries(choices).map(([choice, text]) => ({ value: choice, label: text }));
    return <Select value={value} options={options} onChange={onChange} />;
  }
  return (
    <Input
      value={value}
      type={kind === 'number' ? 'number' : 'text'}
      autoFocus={kind === 'summary'}
      ariaRequired={kind === 'summary'}
      onChange={onChange}
    />
  );
}

/** A date and time in the user's time zone, such as `2026-03-07T20:00`. */
export function MomentInput({ value, label, onChange }: Pick<ControlProps, 'value' | 'label' | 'onChange'>) {
  const [day = '', time = ''] = value.split('T');
  const join = (nextDay: string, nextTime: string) =>
    onChange(nextDay === '' ? '' : `${nextDay}T${nextTime || '00:00'}`);
  // Both controls would otherwise have the label of the field as their only name.
  return (
    <div className="with-button">
      <Input type="date" value={day} ariaLabel={`${label} date`} onChange={(next) => join(next, time)} />
      <Input
        type="time"
        value={time}
        ariaLabel={`${label} time`}
        disabled={day === ''}
        onChange={(next) => join(day, next)}
      />
    </div>
  );
}
