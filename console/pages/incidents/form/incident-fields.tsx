import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { FieldProblems } from '../../../field-problems.ts';
import { MarkdownField } from '../../../markdown/markdown-field.tsx';
import { CiPicker } from '../../cmdb/ci-picker.tsx';
import { useCis } from '../../cmdb/use-cis.ts';
import { fieldNames, levelNames, levels, priorities, priorityNames } from '../incident-words.ts';
import { AssigneeField } from './assignee-field.tsx';
import type { Draft, DraftField } from './incident-draft.ts';
import { SuggestingField } from './suggesting-field.tsx';

interface IncidentFieldsProps {
  draft: Draft;
  problems: FieldProblems;
  onChange(field: DraftField, value: string): void;
  /** What only one of the forms asks for, below the summary. */
  children?: ReactNode;
}

const longestSummary = 255;

/** Every writable field but the state, which has actions of its own. */
export function IncidentFields({ draft, problems, onChange, children }: IncidentFieldsProps) {
  const field = { draft, problems, onChange };
  return (
    <SpaceBetween size="l">
      <Container header={<Header variant="h2">Incident details</Header>}>
        <SpaceBetween size="l">
          <SummaryField {...field} />
          <MarkdownField
            label={fieldNames.description}
            value={draft.description}
            onChange={(value) => onChange('description', value)}
            errorText={problems.description}
          />
          {children}
        </SpaceBetween>
      </Container>
      <Container header={<Header variant="h2">Classification</Header>}>
        <ColumnLayout columns={3}>
          <ChoiceField {...field} name="priority" options={priorityOptions} />
          <ChoiceField {...field} name="impact" options={levelOptions} />
          <ChoiceField {...field} name="urgency" options={levelOptions} />
          <KnownTextField {...field} name="category" />
          <KnownTextField {...field} name="subcategory" />
        </ColumnLayout>
      </Container>
      <Container header={<Header variant="h2">Assignment</Header>}>
        <ColumnLayout columns={2}>
          <KnownTextField {...field} name="assignment_group" />
          <AssigneeField
            value={draft.assigned_to}
            onChange={(value) => onChange('assigned_to', value)}
            errorText={problems.assigned_to}
          />
        </ColumnLayout>
      </Container>
      <FurtherFields {...field} />
    </SpaceBetween>
  );
}

function SummaryField({ draft, problems, onChange }: Omit<IncidentFieldsProps, 'children'>) {
  return (
    <FormField
      label={fieldNames.short_description}
      description="Summarize the problem in one line."
      constraintText={`${[...draft.short_description].length} of ${longestSummary} characters`}
      errorText={problems.short_description}
      stretch
    >
      <Input
        value={draft.short_description}
        ariaRequired
        autoFocus
        onChange={({ detail }) => onChange('short_description', detail.value)}
      />
    </FormField>
  );
}

function FurtherFields(field: Omit<IncidentFieldsProps, 'children'>) {
  const { draft, problems, onChange } = field;
  const names = ['ci_id', 'parent_problem_id', 'change_id', 'resolution'] as const;
  return (
    <ExpandableSection
      variant="container"
      headerText="Related records and resolution"
      defaultExpanded={names.some((name) => draft[name] !== '' || problems[name] !== undefined)}
    >
      <SpaceBetween size="l">
        <ColumnLayout columns={3}>
          <CiField {...field} />
          <TextField {...field} name="parent_problem_id" />
          <TextField {...field} name="change_id" placeholder="CHG…" />
        </ColumnLayout>
        <MarkdownField
          label={fieldNames.resolution}
          description="How the incident was resolved."
          rows={4}
          value={draft.resolution}
          onChange={(value) => onChange('resolution', value)}
          errorText={problems.resolution}
        />
      </SpaceBetween>
    </ExpandableSection>
  );
}

type FieldProps<Name extends DraftField> = Omit<IncidentFieldsProps, 'children'> & { name: Name };

function TextField({
  draft,
  problems,
  onChange,
  name,
  placeholder,
}: FieldProps<DraftField> & { placeholder?: string }) {
  return (
    <FormField label={fieldNames[name]} errorText={problems[name]}>
      <Input
        value={draft[name]}
        placeholder={placeholder ?? ''}
        onChange={({ detail }) => onChange(name, detail.value)}
      />
    </FormField>
  );
}

function CiField({ draft: { ci_id }, problems, onChange }: Omit<IncidentFieldsProps, 'children'>) {
  const name = useCis([ci_id]).get(ci_id)?.name;
  return (
    <FormField label={fieldNames.ci_id} errorText={problems.ci_id} constraintText={name}>
      <CiPicker value={ci_id} label={fieldNames.ci_id} onChange={(value) => onChange('ci_id', value)} />
    </FormField>
  );
}

function KnownTextField(props: FieldProps<'category' | 'subcategory' | 'assignment_group'>) {
  const { draft, problems, onChange, name } = props;
  return (
    <SuggestingField
      field={name}
      label={fieldNames[name]}
      value={draft[name]}
      onChange={(value) => onChange(name, value)}
      errorText={problems[name]}
    />
  );
}

interface ChoiceFieldProps extends FieldProps<'priority' | 'impact' | 'urgency'> {
  options: readonly SelectProps.Option[];
}

function ChoiceField({ draft, problems, onChange, name, options }: ChoiceFieldProps) {
  return (
    <FormField label={fieldNames[name]} errorText={problems[name]}>
      <Select
        selectedOption={options.find(({ value }) => value === draft[name]) ?? null}
        options={options}
        placeholder="Not set"
        onChange={({ detail }) => onChange(name, detail.selectedOption.value ?? '')}
      />
    </FormField>
  );
}

const priorityOptions = priorities.map((value) => ({ value, label: priorityNames[value] }));

const levelOptions = [{ value: '', label: 'Not set' }, ...levels.map((value) => ({ value, label: levelNames[value] }))];
