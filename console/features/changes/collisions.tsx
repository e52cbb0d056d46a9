import type { ServiceClient } from '../../../client/index.ts';
import { useApi } from '../../base/api.ts';
import { type Polling, useLoad } from '../../base/use-load.ts';
import type { Draft } from '../../records/record-draft.ts';
import { type Change, changePath, stateNames } from '../../resources/change-words.ts';
import { CiLink, useCis } from '../../resources/ci-links.tsx';
import { isCiId } from '../../resources/ci-words.ts';
import { formatCount } from '../../ui/count.ts';
import { Alert, Button, Status } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { useSettled } from '../../ui/screen.ts';
import { PlannedTime } from '../../ui/text.tsx';
import { fromLocalMoment } from '../../ui/time.ts';

export type Collision = Awaited<ReturnType<ServiceClient['getChangeCollisions']>>['data'][number];

interface Window {
  from: string | null | undefined;
  to: string | null | undefined;
  ciIds: readonly string[];
  /** The stored change, which does not collide with itself. */
  changeId?: string | undefined;
}

const openStates: readonly Change['state'][] = ['draft', 'submitted', 'approved', 'implementing'];

/** The conflicts of a stored change, while it is not finished. */
export function ChangeCollisions({ change }: { change: Change }) {
  const { id, planned_start, planned_end, ci_ids, state } = change;
  if (!openStates.includes(state)) return null;
  return <Collisions from={planned_start} to={planned_end} ciIds={ci_ids} changeId={id} />;
}

const pauseMs = 300;

/** Somebody else may plan a change while the form is open, and lists follow writes with a delay. */
const polling: Polling = { intervalMs: 15_000, maxIntervalMs: 60_000, maxPolls: 40 };

/** The conflicts of the window in a form. */
export function DraftCollisions({ draft, changeId }: { draft: Draft; changeId?: string }) {
  const { planned_start = '', planned_end = '', ci_ids = '' } = useSettled(draft, pauseMs);
  const ciIds = ci_ids.split(/[\s,]+/).filter(isCiId);
  const [from, to] = [fromLocalMoment(planned_start), fromLocalMoment(planned_end)];
  return <Collisions from={from} to={to} ciIds={ciIds} changeId={changeId} />;
}

function Collisions({ from, to, ciIds, changeId }: Window) {
  const { client } = useApi();
  const isComplete = Boolean(from && to && from < to && ciIds.length > 0);
  const query = { from: from ?? '', to: to ?? '', ci_ids: ciIds.join(), ...(changeId ? { change_id: changeId } : {}) };
  const { data, problem, reload } = useLoad(
    ['changes', 'collisions', query],
    (signal) => client.getChangeCollisions(query, { signal }),
    { enabled: isComplete, polling },
  );
  if (!isComplete) return null;
  if (!data) {
    if (!problem) return null;
    return (
      <Alert
        type="warning"
        header="Conflicts could not be checked"
        action={<Button onClick={reload}>Try again</Button>}
      />
    );
  }
  if (data.data.length === 0) {
    return <Status type="success">No conflicts with other changes in this window</Status>;
  }
  return (
    <Alert type="warning" header={formatCount(data.data.length, 'conflict')}>
      <CollisionList collisions={data.data} />
    </Alert>
  );
}

const reasons: Readonly<Record<Collision['reason'], string>> = {
  same_ci: 'also affects',
  dependency: 'is linked by a dependency on',
};

/** More would push the form out of sight; the calendar shows all. */
const maxShown = 5;

function CollisionList({ collisions }: { collisions: readonly Collision[] }) {
  const cis = useCis(collisions.flatMap(({ ci_ids }) => ci_ids));
  const hidden = collisions.length - maxShown;
  return (
    <ul className="points">
      {collisions.slice(0, maxShown).map(({ change, from, to, reason, ci_ids }) => (
        <li key={change.id}>
          <PageLink to={changePath(change.id)}>{change.id}</PageLink> {change.short_description} (
          {stateNames[change.state].toLowerCase()}) {reasons[reason]}{' '}
          {ci_ids.map((id, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <CiLink id={id} cis={cis} />
            </span>
          ))}
          , <PlannedTime at={from} /> to <PlannedTime at={to} />
        </li>
      ))}
      {hidden > 0 && <li>and {hidden} more</li>}
    </ul>
  );
}
