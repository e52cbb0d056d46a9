import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import type { More } from './use-more.ts';

/** The foot of a list that has another page. */
export function ShowMore({ list: { hasMore, loadMore, loading } }: { list: More<unknown> }) {
  if (!hasMore) return null;
  return (
    <Box textAlign="center">
      <Button onClick={loadMore} loading={loading}>
        Show more
      </Button>
    </Box>
  );
}
