import { useApi } from '../../base/api.ts';
import { useHasRole } from '../../base/caller.tsx';
import { Alert, Button } from '../../ui/kit/index.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useAction } from '../../ui/use-action.ts';
import { followJob } from '../jobs/follow-job.tsx';

const maxIncidents = 100;

interface ResolveTogetherProps {
  /** The open incidents. */
  ids: readonly string[];
  what: string;
  note: string;
  onDone(): void;
}

/** Offers to resolve open incidents with a note, in one bulk job. */
export function ResolveTogether({ ids, what, note, onDone }: ResolveTogetherProps) {
  const { client } = useApi();
  const action = useAction();
  const canWrite = useHasRole('itsm_agent');
  if (!canWrite || ids.length === 0) return null;
  const chosen = ids.slice(0, maxIncidents);
  const resolve = async () => {
    const fields = { work_note: note, resolution: note };
    const { job_id, total } = await client.bulkIncidents({ operation: 'resolve', ids: [...chosen], fields });
    void followJob(client, job_id, total, onDone);
  };
  return (
    <Alert type="info">
      {ids.length} {what} {ids.length === 1 ? 'is' : 'are'} still open.{' '}
      <Button loading={action.busy} onClick={() => void action.run(resolve)}>
        Resolve {chosen.length === 1 ? 'it' : `these ${chosen.length}`}
      </Button>
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
    </Alert>
  );
}
