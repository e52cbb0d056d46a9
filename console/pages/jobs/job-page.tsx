import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useCallback, useState } from 'react';
import { useApi } from '../../api.ts';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { Moment } from '../../components/moment.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { durationText } from '../../time-text.ts';
import { usePolling } from '../../use-load.ts';
import { JobResults } from './job-results.tsx';
import { JobStatus } from './job-status.tsx';
import { countText, isFinished, type Job, jobName } from './job-words.ts';

const polling = { intervalMs: 1500, maxIntervalMs: 60_000, maxPolls: 400 };

/** Asks again until the job is done. */
export function JobPage({ id }: { id: string }) {
  const { client } = useApi();
  const [finished, setFinished] = useState(false);
  const load = useCallback(
    async (signal: AbortSignal) => {
      const job = await client.getJob({ id }, { signal });
      if (isFinished(job)) setFinished(true);
      return job;
    },
    [client, id],
  );
  const { data, problem, reload } = usePolling(load, finished ? undefined : polling);
  return (
    <ContentLayout
      header={
        <Header variant="h1" description={<span className="wrapping">{id}</span>}>
          {data ? jobName(data) : 'Bulk job'}
        </Header>
      }
    >
      <SpaceBetween size="l">
        {problem !== undefined && <ProblemView problem={problem} onRetry={reload} />}
        {data && <JobFacts job={data} />}
        {data && <JobResults job={data} />}
        {!data && problem === undefined && (
          <Container>
            <FactsSkeleton facts={4} label="Loading job" />
          </Container>
        )}
      </SpaceBetween>
    </ContentLayout>
  );
}

function JobFacts({ job }: { job: Job }) {
  return (
    <Container header={<Header variant="h2">Progress</Header>}>
      <SpaceBetween size="l">
        <ProgressBar
          value={(100 * job.processed) / Math.max(1, job.total)}
          additionalInfo={`${job.processed} of ${countText(job.total, job)}`}
          ariaLabel={`${job.processed} of ${countText(job.total, job)} processed`}
        />
        <KeyValuePairs
          columns={4}
          minColumnWidth={140}
          items={[
            { label: 'Status', value: <JobStatus status={job.status} /> },
            { label: 'Succeeded', value: job.succeeded },
            { label: 'Failed', value: job.failed },
            { label: 'Created by', value: <span className="wrapping">{job.created_by}</span> },
            { label: 'Created', value: <Moment at={job.created_at} /> },
            { label: 'Started', value: <Optional at={job.started_at} /> },
            { label: 'Finished', value: <Optional at={job.finished_at} /> },
            { label: 'Duration', value: tookText(job) },
          ]}
        />
      </SpaceBetween>
    </Container>
  );
}

function Optional({ at }: { at: string | null }) {
  return at === null ? <Box color="text-status-inactive">–</Box> : <Moment at={at} />;
}

function tookText({ created_at, finished_at }: Job): string {
  if (finished_at === null) return '–';
  const took = Date.parse(finished_at) - Date.parse(created_at);
  return took < 1000 ? `${took} ms` : durationText(took);
}
