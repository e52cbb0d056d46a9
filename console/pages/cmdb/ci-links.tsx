import { PageLink } from '../../components/page-link.tsx';
import { type Ci, ciPath, isCiId } from './ci-words.ts';
import { useCis } from './use-cis.ts';

/** An item by its name, where it is known; records may name items that nobody has entered. */
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
