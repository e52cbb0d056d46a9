import { useApi } from '../../base/api.ts';
import { useLoad } from '../../base/use-load.ts';
import { problemPath } from '../../resources/problem-words.ts';
import { Alert, Box } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { Markdown } from '../../ui/markdown.tsx';

/** The workaround of the known error that the incident resembles most. */
export function WorkaroundBanner({ id }: { id: string }) {
  const { client } = useApi();
  const { data } = useLoad(['incidents', id, 'known-errors'], (signal) =>
    client.getKnownErrors({ id }, { signal, retries: 0 }),
  );
  const found = data?.known_errors.find(({ workaround }) => workaround !== null);
  if (!found?.workaround) return null;
  return (
    <Alert type="info" header={`Workaround of a known error: ${found.short_description}`}>
      <Markdown source={found.workaround} />
      <Box muted small>
        <PageLink to={problemPath(found.problem_id)}>{found.problem_id}</PageLink> {found.reason}
      </Box>
    </Alert>
  );
}

/** A problem or a change, which may not exist any more. */
export function Reference({ id }: { id: string }) {
  const { client } = useApi();
  const isProblem = id.startsWith('PRB');
  const { problem } = useLoad(['reference', id], async (signal) => {
    if (isProblem) await client.getProblem({ id }, { signal, retries: 0 });
    else await client.getChange({ id }, { signal, retries: 0 });
    return id;
  });
  if (problem !== undefined) return <span className="wrapping">{id} (unknown)</span>;
  return <PageLink to={isProblem ? problemPath(id) : `/changes/${id}`}>{id}</PageLink>;
}
