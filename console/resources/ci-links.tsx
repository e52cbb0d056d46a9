import type { CiStatus } from '../../contract/ci-relations.ts';
import { useApi } from '../base/api.ts';
import { useLoad } from '../base/use-load.ts';
import { Status, type StatusType } from '../ui/kit/index.ts';
import { PageLink } from '../ui/links.tsx';
import { type Ci, ciPath, isCiId, statusNames } from './ci-words.ts';

/** Links to an item by its name. Records may name items that do not exist. */
export function CiLink({ id, cis }: { id: string; cis: ReadonlyMap<string, Ci> }) {
  const known = cis.get(id);
  if (!isCiId(id)) return <span className="wrapping">{id}</span>;
  return (
    <span className="wrapping" title={known ? `${known.class} ${id}` : 'Unknown configuration item'}>
      <PageLink to={ciPath(id)}>{known?.name ?? id}</PageLink>
    </span>
  );
}

export function CiLinks({ ids }: { ids: readonly string[] }) {
  const cis = useCis(ids);
  return (
    <ul className="changes">
      {ids.map((id) => (
        <li key={id}>
          <CiLink id={id} cis={cis} />
        </li>
      ))}
    </ul>
  );
}

const looks: Readonly<Record<CiStatus, StatusType>> = {
  operational: 'success',
  degraded: 'warning',
  down: 'error',
  retired: 'stopped',
};

export function CiStatusLabel({ status }: { status: CiStatus }) {
  return (
    <Status unbroken type={looks[status]}>
      {statusNames[status]}
    </Status>
  );
}

/** The service looks up at most this many per request. */
const maxIds = 100;

/** Loads the given items in one request. Unknown items are missing from the result. */
export function useCis(ids: readonly (string | null)[]): ReadonlyMap<string, Ci> {
  const { client } = useApi();
  const wanted = [...new Set(ids.filter((id) => id !== null && isCiId(id)))].slice(0, maxIds).join(',');
  const { data = [] } = useLoad(
    ['cis', 'by id', wanted],
    async (signal) => (await client.listCis({ id: wanted, limit: maxIds }, { signal })).data,
    { enabled: wanted !== '', keepPrevious: true },
  );
  return new Map(data.map((ci) => [ci.id, ci]));
}
