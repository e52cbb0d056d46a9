import { useState } from 'react';
import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { changePath } from '../../resources/change-words.ts';
import type { Incident } from '../../resources/incident-words.ts';
import { Box, Button, Expandable } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { SimilarRecords } from './similar-records.tsx';

/** Changes that may have caused the incident, and on request similar cases and articles, which a model looks for. */
export function RelatedPanel({ incident: { id, short_description, description } }: { incident: Incident }) {
  const { client } = useApi();
  const { data } = useLoad(['incidents', id, 'suspects'], (signal) =>
    client.getSuspectChanges({ id }, { signal, retries: 0 }),
  );
  const [isAsked, setAsked] = useState(false);
  const changes = data?.data ?? [];
  return (
    <>
      {changes.length > 0 && (
        <Expandable contained title="Related changes" counter={`(${changes.length})`} defaultExpanded>
          <ul className="points" aria-label="Related changes">
            {changes.map(({ change, reason }) => (
              <li key={change.id} title={reason}>
                <PageLink to={changePath(change.id)}>{change.id}</PageLink> {change.short_description}
              </li>
            ))}
          </ul>
        </Expandable>
      )}
      <Panel title="Similar cases and articles">
        {isAsked ? (
          <SimilarRecords
            text={`${short_description}\n${description ?? ''}`}
            except={id}
            empty={<Box muted>Nothing similar was found.</Box>}
          />
        ) : (
          <Button icon="search" onClick={() => setAsked(true)}>
            Find similar
          </Button>
        )}
      </Panel>
    </>
  );
}
