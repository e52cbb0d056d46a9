import type { ReactNode } from 'react';
import { type IncidentState, openIncidentStates } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { articlePath } from '../../resources/article-words.ts';
import { StateLabel } from '../../resources/incident-labels.tsx';
import { incidentPath } from '../../resources/incident-words.ts';
import { Box, Stack } from '../../ui/kit/index.ts';
import { NewTabLink } from '../../ui/links.tsx';
import { useUnpressed } from '../../ui/press.ts';
import { useSettled } from '../../ui/screen.ts';
import { listSearches, rankByHits } from './article-searches.ts';

/** Shorter texts are similar to everything. */
const minCharacters = 12;

const pauseMs = 600;

const maxPerKind = 3;

const maxPerSearch = 10;

/** Less similar incidents are rarely about the same thing. */
const minSimilarity = 0.5;

interface SimilarRecordsProps {
  text: string;
  /** An incident that is not listed. */
  except?: string;
  /** Said when there is nothing. */
  empty?: ReactNode;
  /** What to do with an open incident, which may be the same. */
  action?(id: string): ReactNode;
}

/** Similar incidents, open ones first, and fitting articles, found while the user describes a new incident. Failures are not shown. */
export function SimilarRecords({ text, except, empty = null, action }: SimilarRecordsProps) {
  const { client } = useApi();
  const settled = useSettled(text.trim(), pauseMs);
  const isLongEnough = settled.length >= minCharacters;
  const options = { enabled: isLongEnough, keepPrevious: true };
  const similar = useLoad(
    ['incidents', 'similar', settled],
    (signal) =>
      client.findExemplars(
        { description: settled.slice(0, 4_000), include_open: true, top_k: maxPerKind + 1 },
        { signal, retries: 0 },
      ),
    options,
  );
  const articles = useLoad(
    ['articles', 'fitting', settled],
    async (signal) => {
      const lists = listSearches(settled).map((q) =>
        client.listArticles({ q, limit: maxPerSearch, state: 'published', sort: 'relevance' }, { signal, retries: 0 }),
      );
      return rankByHits((await Promise.all(lists)).map(({ data }) => data)).slice(0, maxPerKind);
    },
    options,
  );
  const found = useUnpressed(isLongEnough ? similar.data : undefined)?.exemplars ?? [];
  const fitting = useUnpressed(isLongEnough ? articles.data : undefined) ?? [];
  const isOpen = ({ state }: { state: IncidentState }) => openIncidentStates.some((open) => open === state);
  const incidents = found
    .filter(({ incident_id, similarity_score }) => similarity_score >= minSimilarity && incident_id !== except)
    .sort((a, b) => Number(isOpen(b)) - Number(isOpen(a)))
    .slice(0, maxPerKind);
  // An empty region would still move what is below it, by the gap between them.
  if (incidents.length === 0 && fitting.length === 0) return similar.loading || articles.loading ? null : empty;
  return (
    <div role="status">
      <Stack gap="xs">
        {incidents.length > 0 && (
          <div>
            <Box variant="h3">Similar incidents</Box>
            <ul className="points" aria-label="Similar incidents">
              {incidents.map(({ incident_id, title, state, similarity_score }) => (
                <li key={incident_id}>
                  <NewTabLink to={incidentPath(incident_id)}>{incident_id}</NewTabLink> {title}{' '}
                  <StateLabel state={state} /> · {Math.round(similarity_score * 100)}% similar{' '}
                  {isOpen({ state }) && action?.(incident_id)}
                </li>
              ))}
            </ul>
          </div>
        )}
        {fitting.length > 0 && (
          <div>
            <Box variant="h3">Articles that may help</Box>
            <ul className="points" aria-label="Articles that may help">
              {fitting.map(({ id, title }) => (
                <li key={id}>
                  <NewTabLink to={articlePath(id)}>{title}</NewTabLink>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Stack>
    </div>
  );
}
