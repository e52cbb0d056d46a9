import { useState } from 'react';
import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import type { Draft } from '../../records/record-draft.ts';
import { fieldNames } from '../../resources/incident-words.ts';
import { Box, Button, Row, Stack } from '../../ui/kit/index.ts';
import { showUnpressed } from '../../ui/press.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';

type Response = Awaited<ReturnType<ServiceClient['suggestFields']>>['suggestions'];

const fields = ['category', 'subcategory', 'priority', 'assignment_group'] as const;

type SuggestedField = (typeof fields)[number];

interface Suggestion {
  field: SuggestedField;
  value: string;
  confidence: number;
}

interface SuggestionsProps {
  draft: Draft;
  /** The fields that the user has set. */
  chosen: ReadonlySet<string>;
  onApply(values: Draft): void;
}

/** Suggests values of fields that the user has not set. Nothing changes before the user applies a suggestion. */
export function Suggestions({ draft, chosen, onApply }: SuggestionsProps) {
  const { client } = useApi();
  const action = useAction();
  const [response, setResponse] = useState<Response>();
  const text = `${draft.short_description}\n${draft.description}`.trim();
  const suggest = () =>
    void action.run(async () => {
      const current = Object.fromEntries(fields.flatMap((field) => (chosen.has(field) ? [[field, draft[field]]] : [])));
      const filled = Object.fromEntries(Object.entries(current).filter(([, value]) => value !== ''));
      const { suggestions } = await client.suggestFields({ text: text.slice(0, 4_000), current: filled });
      showUnpressed(() => setResponse(suggestions));
    });
  const open = listOpen(response ?? {}, draft, chosen);
  return (
    <Stack gap="xs">
      <Row>
        <Button icon="sparkle" loading={action.busy} disabled={text === ''} onClick={suggest}>
          Suggest fields
        </Button>
        {open.length > 1 && (
          <Button
            variant="link"
            onClick={() => onApply(Object.fromEntries(open.map(({ field, value }) => [field, value])))}
          >
            Apply all
          </Button>
        )}
      </Row>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <div role="status">
        {response && open.length === 0 && <Box muted>No further suggestions.</Box>}
        {open.length > 0 && (
          <ul className="chips" aria-label="Suggestions">
            {open.map(({ field, value, confidence }) => (
              <li key={field} className="chip">
                <span>
                  {fieldNames[field]}: <strong>{value}</strong> · {Math.round(confidence * 100)}%
                </span>
                <Button
                  variant="inline"
                  ariaLabel={`Apply ${fieldNames[field]} ${value}`}
                  onClick={() => onApply({ [field]: value })}
                >
                  Apply
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {open.some(({ field }) => field === 'priority') && response?.priority && (
        <Box small muted>
          {response.priority.reasoning}
        </Box>
      )}
    </Stack>
  );
}

/** The user's own values stay: a field that the user has set has no suggestion. */
function listOpen(response: Response, draft: Draft, chosen: ReadonlySet<string>): Suggestion[] {
  return fields.flatMap((field) => {
    const found = response[field];
    if (!found || chosen.has(field) || draft[field] === found.value) return [];
    return [{ field, value: found.value, confidence: found.confidence }];
  });
}
