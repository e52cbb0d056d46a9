import type { ServiceClient } from '../../../client/index.ts';
import { Progress } from '../../ui/kit/index.ts';
import { PageLink } from '../../ui/links.tsx';
import { changeNotice, type Notice, notify } from '../../ui/notices.ts';
import { jobPath } from '../../ui/record-path.ts';
import { formatCount, isFinished, type Job } from './job-words.ts';

const firstWaitMs = 400;
const maxWaitMs = 5000;
const maxPolls = 200;

/** Shows the progress of a job in a notice until it finishes. */
export async function followJob(
  client: ServiceClient,
  id: string,
  total: number,
  onFinished: () => void,
  undo?: () => Promise<void>,
): Promise<void> {
  const notice = notify(toProgressNotice(id, 0, total));
  let waitMs = firstWaitMs;
  try {
    for (let look = 0; look < maxPolls; look += 1) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(waitMs * 1.5, maxWaitMs);
      const job = await client.getJob({ id });
      changeNotice(
        notice,
        isFinished(job) ? toOutcomeNotice(job, undo) : toProgressNotice(id, job.processed, job.total),
      );
      if (isFinished(job)) return onFinished();
    }
    changeNotice(notice, { type: 'info', content: <>The job is still running. {link(id, 'View job')}</> });
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : String(problem);
    const content = (
      <>
        {reason} {link(id, 'View job')}
      </>
    );
    changeNotice(notice, { type: 'error', header: 'Could not check the job status', content });
  }
}

function toProgressNotice(id: string, processed: number, total: number): Notice {
  return {
    type: 'in-progress',
    content: (
      <Progress
        label={`Updating ${formatCount(total, { record_type: 'incident' })}`}
        value={(100 * processed) / Math.max(1, total)}
        additionalInfo={link(id, 'View job')}
      />
    ),
  };
}

function toOutcomeNotice(job: Job, undo: (() => Promise<void>) | undefined): Notice {
  const action = undo && job.succeeded > 0 ? { action: { text: 'Undo', run: () => void undo() } } : {};
  const done = `${job.succeeded} of ${formatCount(job.total, job)} ${job.total === 1 ? 'was' : 'were'} updated.`;
  if (job.failed === 0)
    return {
      type: 'success',
      ...action,
      content: (
        <>
          {done} {link(job.job_id, 'View job')}
        </>
      ),
    };
  const content = (
    <>
      {done} {job.failed} failed. {link(job.job_id, 'View errors')}
    </>
  );
  return { type: job.succeeded === 0 ? 'error' : 'warning', content, ...action };
}

function link(id: string, text: string) {
  return (
    <PageLink to={jobPath(id)} fontSize="inherit" color="inverted">
      {text}
    </PageLink>
  );
}
