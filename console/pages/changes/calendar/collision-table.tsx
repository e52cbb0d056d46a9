import Table, { type TableProps } from '@cloudscape-design/components/table';
import type { CalendarEntry, Collision } from '../../../../contract/change-calendar.ts';
import { PageLink } from '../../../components/page-link.tsx';
import { momentText } from '../../../time-text.ts';
import { CiLink } from '../../cmdb/ci-links.tsx';
import { useCis } from '../../cmdb/use-cis.ts';
import { changePath } from '../change-words.ts';

const reasons: Readonly<Record<Collision['reason'], string>> = {
  same_ci: 'Both affect',
  dependency: 'One depends on',
};

export function CollisionTable({
  entries,
  collisions,
}: {
  entries: readonly CalendarEntry[];
  collisions: readonly Collision[];
}) {
  const cis = useCis(collisions.flatMap(({ ci_ids }) => ci_ids));
  const titles = new Map(entries.map(({ id, short_description }) => [id, short_description]));
  const change = (place: 0 | 1) => (collision: Collision) => {
    const id = collision.change_ids[place];
    return (
      <span className="wrapping">
        <PageLink to={changePath(id)}>{id}</PageLink> {titles.get(id)}
      </span>
    );
  };
  const columns: readonly TableProps.ColumnDefinition<Collision>[] = [
    { id: 'first', header: 'Change', cell: change(0), isRowHeader: true, minWidth: 180 },
    { id: 'second', header: 'Conflicts with', cell: change(1), minWidth: 180 },
    {
      id: 'at',
      header: 'Shared items',
      minWidth: 140,
      cell: ({ ci_ids, reason }) => (
        <>
          {reasons[reason]}:
          <ul className="changes">
            {ci_ids.map((id) => (
              <li key={id}>
                <CiLink id={id} cis={cis} />
              </li>
            ))}
          </ul>
        </>
      ),
    },
    { id: 'from', header: 'From', cell: ({ from }) => momentText(from).slice(0, 16) },
    { id: 'to', header: 'To', cell: ({ to }) => momentText(to).slice(0, 16) },
  ];
  return (
    <Table
      variant="embedded"
      items={collisions}
      trackBy={({ change_ids }) => change_ids.join()}
      columnDefinitions={columns}
      wrapLines
      ariaLabels={{ tableLabel: 'Conflicts' }}
    />
  );
}
