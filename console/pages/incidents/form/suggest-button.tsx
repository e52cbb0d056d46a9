import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useApi } from '../../../api.ts';
import { ProblemView } from '../../../components/problem-view.tsx';
import { useAction } from '../../../use-action.ts';
import type { Draft } from './incident-draft.ts';

type Suggested = Readonly<Partial<Record<'category' | 'subcategory' | 'priority' | 'assignment_group', string>>>;

/** Fills in empty fields with what similar resolved incidents had; a priority is only ever raised. */
export function SuggestButton({ draft, onSuggest }: { draft: Draft; onSuggest(values: Suggested): void }) {
  const { client } = useApi();
  const action = useAction();
  const [told, setTold] = useState<string>();
  const text = `${draft.short_description}\n${draft.description}`.trim();
  const suggest = () =>
    void action.run(async () => {
      const { category, subcategory, assignment_group, priority } = draft;
      // P3 is what every new form shows, so nobody chose it.
      const current = { category, subcategory, assignment_group, priority: priority === 'P3' ? '' : priority };
      const chosen = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== ''));
      const { suggestions } = await client.suggestFields({ text: text.slice(0, 4_000), current: chosen });
      const entries = Object.entries(suggestions).flatMap(([field, given]) => (given ? [{ field, ...given }] : []));
      onSuggest(Object.fromEntries(entries.map(({ field, value }) => [field, value])));
      const sure = entries.map(
        ({ field, value, confidence }) => `${field.replace('_', ' ')} ${value} (${Math.round(confidence * 100)}%)`,
      );
      const filled = sure.length > 0 ? `Filled in: ${sure.join(', ')}.` : 'Nothing to fill in.';
      setTold(`${filled} ${suggestions.priority?.reasoning ?? ''}`);
    });
  return (
    <SpaceBetween size="xs">
      <Button formAction="none" iconName="gen-ai" loading={action.busy} disabled={text === ''} onClick={suggest}>
        Suggest fields
      </Button>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {told !== undefined && action.problem === undefined && (
        <Alert type="info" statusIconAriaLabel="Info">
          <Box variant="span">{told}</Box>
        </Alert>
      )}
    </SpaceBetween>
  );
}
