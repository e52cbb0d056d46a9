import Pagination from '@cloudscape-design/components/pagination';
import type { ListView } from './list-view.ts';

interface ListPagesProps {
  view: ListView;
  total: number | undefined;
  onChange(page: number): void;
}

export function ListPages({ view, total, onChange }: ListPagesProps) {
  const pagesCount = Math.max(1, Math.ceil((total ?? 0) / view.limit));
  return (
    <Pagination
      currentPageIndex={view.page}
      pagesCount={Math.max(pagesCount, view.page)}
      ariaLabels={{
        paginationLabel: 'Incident pages',
        previousPageLabel: 'Previous page',
        nextPageLabel: 'Next page',
        pageLabel: (page) => `Page ${page}`,
      }}
      onChange={({ detail }) => onChange(detail.currentPageIndex)}
    />
  );
}
