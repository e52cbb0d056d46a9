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

/** Fills in what similar resolved incidents had; what it filled in can be changed like everything else. */
export function SuggestButton({ draft, onSuggest }: { draft: Draft; onSuggest(values: Suggested): void }) {
  const { client } = useApi();
  const action = useAction();
  const [told, setTold] = useState<string>();
  const text = `${draft.short_description}\n${draft.description}`.trim();
  const suggest = () =>
    void action.run(async () => {
      const { suggestions } = await client.suggestFields({ text: text.slice(0, 4_000) });
      const entries = Object.entries(suggestions).flatMap(([field, given]) => (given ? [{ field, ...given }] : []));
      onSuggest(Object.fromEntries(entries.map(({ field, value }) => [field, value])));
      const sure = entries.map(
        ({ field, confidence }) => `${field.replace('_', ' ')} ${Math.round(confidence * 100)} %`,
      );
      setTold(`Filled in, with its confidence: ${sure.join(', ')}. ${suggestions.priority?.reasoning ?? ''}`);
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
