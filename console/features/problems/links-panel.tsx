import { useState } from 'react';
import { type LinkType, linkTypes, openIncidentStates } from '../../../contract/states.ts';
import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { useLoad } from '../../base/use-load.ts';
import type { Incident } from '../../resources/incident-words.ts';
import { Box, Button, Input, Row, Select, Stack } from '../../ui/kit/index.ts';
import { Panel } from '../../ui/layouts.tsx';
import { PageLink } from '../../ui/links.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { toRecordPath } from '../../ui/record-path.ts';
import { useAction } from '../../ui/use-action.ts';
import { ResolveTogether } from './resolve-together.tsx';

const typeNames = {
  duplicate_of: 'Duplicate of',
  duplicated_by: 'Duplicated by',
  caused_by: 'Caused by',
  causes: 'Causes',
  related_to: 'Related to',
} as const;

interface LinksPanelProps {
  kind: keyof typeof operations;
  id: string;
  incident?: Incident;
}

const operations = { incident: 'getIncidentLinks', problem: 'getProblemLinks', change: 'getChangeLinks' } as const;

/** The links of a record. Only incidents offer to add and remove links. */
export function LinksPanel({ kind, id, incident }: LinksPanelProps) {
  const { client } = useApi();
  const canWrite = useHasRole('itsm_agent') && incident !== undefined;
  const { data, reload } = useLoad([kind, id, 'links'], (signal) =>
    client[operations[kind]]({ id }, { signal, retries: 0 }),
  );
  const action = useAction();
  const links = data?.links ?? [];
  const isResolved = incident?.state === 'resolved' || incident?.state === 'closed';
  const duplicates = links.filter(
    ({ type, state }) => type === 'duplicated_by' && openIncidentStates.some((open) => open === state),
  );
  const remove = (record_id: string) =>
    action.run(async () => {
      await client.deleteIncidentLink({ id, record_id });
      reload();
    });
  if (links.length === 0 && !canWrite) return null;
  return (
    <Panel title="Links">
      <Stack gap="s">
        {isResolved && (
          <ResolveTogether
            ids={duplicates.map(({ record_id }) => record_id)}
            what={duplicates.length === 1 ? 'duplicate' : 'duplicates'}
            note={`Resolved with ${id}, of which this is a duplicate.`}
            onDone={reload}
          />
        )}
        {links.length > 0 && (
          <ul className="points" aria-label="Links">
            {links.map(({ type, record_id, short_description }) => (
              <li key={record_id}>
                {typeNames[type]} <PageLink to={toRecordPath(record_id) ?? '/'}>{record_id}</PageLink>{' '}
                {short_description ?? '(unknown)'}
                {canWrite && (
                  <Button
                    icon="close"
                    ariaLabel={`Remove the link to ${record_id}`}
                    onClick={() => void remove(record_id)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        {action.problem !== undefined && <ProblemView problem={action.problem} />}
        {canWrite && <LinkForm id={id} onAdded={reload} />}
      </Stack>
    </Panel>
  );
}

function LinkForm({ id, onAdded }: { id: string; onAdded(): void }) {
  const { client } = useApi();
  const [type, setType] = useState<LinkType>('related_to');
  const [target, setTarget] = useState('');
  const action = useAction();
  const add = () =>
    action.run(async () => {
      await client.createIncidentLink({ id }, { type, record_id: target.trim().toUpperCase() });
      setTarget('');
      onAdded();
    });
  return (
    <Stack gap="xs">
      <Row>
        <Select
          ariaLabel="Type of link"
          value={type}
          options={linkTypes.map((value) => ({ value, label: typeNames[value] }))}
          onChange={(value) => setType(value as LinkType)}
        />
        <Input ariaLabel="ID of the record" placeholder="INC, PRB or CHG" value={target} onChange={setTarget} />
        <Button disabled={target.trim() === ''} loading={action.busy} onClick={() => void add()}>
          Link
        </Button>
      </Row>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Box>
        <PageLink to={`/problems/new?incidents=${id}`}>Create problem</PageLink>
      </Box>
    </Stack>
  );
}
