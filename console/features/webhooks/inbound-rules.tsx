import { type Action, actionNames, type InboundWebhook } from '../../resources/webhook-words.ts';
import type { FieldProblems } from '../../ui/field-problems.ts';
import { Button, Container, FormField, Header, Select, Stack } from '../../ui/kit/index.ts';
import { FilterEditor, FilterList } from './filters.tsx';
import type { InboundDraft, RuleDraft } from './inbound-draft.ts';
import { MappingEditor } from './mapping-editor.tsx';
import type { WebhookFieldsProps } from './webhook-form.tsx';

const actions = Object.entries(actionNames).map(([value, label]) => ({ value, label }));

const maxRules = 10;

const newRule: RuleDraft = {
  when: [{ field: 'status', operator: 'eq', value: 'resolved' }],
  action: 'resolve_incident',
  mapping: [],
};

export function RulesEditor({ draft, problems, onChange }: WebhookFieldsProps<InboundDraft>) {
  const { rules } = draft;
  return (
    <Stack>
      {rules.map((rule, index) => (
        <RuleEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no identity but their place
          key={index}
          position={index + 1}
          rule={rule}
          problems={scopeProblems(problems, `rules[${index}].`)}
          onChange={(fields) =>
            onChange({ rules: rules.map((each, place) => (place === index ? { ...each, ...fields } : each)) })
          }
          onRemove={() => onChange({ rules: rules.filter((_, place) => place !== index) })}
        />
      ))}
      <Button
        icon="add-plus"
        disabled={rules.length >= maxRules}
        onClick={() => onChange({ rules: [...rules, newRule] })}
      >
        Add rule
      </Button>
    </Stack>
  );
}

interface RuleEditorProps {
  position: number;
  rule: RuleDraft;
  problems: FieldProblems;
  onChange(fields: Partial<RuleDraft>): void;
  onRemove(): void;
}

function RuleEditor({ position, rule, problems, onChange, onRemove }: RuleEditorProps) {
  return (
    <Container
      header={
        <Header
          variant="h3"
          actions={
            <Button ariaLabel={`Remove rule ${position}`} onClick={onRemove}>
              Remove
            </Button>
          }
        >{`Rule ${position}`}</Header>
      }
    >
      <Stack>
        <FilterEditor
          name="when"
          filters={rule.when}
          problems={problems}
          description="The rule applies to events that match all conditions."
          example="alert.status"
          onChange={(when) => onChange({ when })}
        />
        <FormField label="Action" errorText={problems.action}>
          <Select value={rule.action} options={actions} onChange={(value) => onChange({ action: value as Action })} />
        </FormField>
        <MappingEditor draft={rule} problems={problems} onChange={(mapping) => onChange({ mapping })} />
      </Stack>
    </Container>
  );
}

/** The problems of one rule, named as in a webhook. */
function scopeProblems(problems: FieldProblems, prefix: string): FieldProblems {
  const own = Object.entries(problems).filter(([field]) => field.startsWith(prefix));
  return Object.fromEntries(own.map(([field, problem]) => [field.slice(prefix.length), problem]));
}

export function RuleList({ rules }: { rules: InboundWebhook['rules'] }) {
  return (
    <ol className="changes">
      {rules.map((rule) => (
        <li key={JSON.stringify(rule)}>
          <strong>{actionNames[rule.action]}</strong> when
          <FilterList filters={rule.when} />
        </li>
      ))}
    </ol>
  );
}
