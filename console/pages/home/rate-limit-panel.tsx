import Box from '@cloudscape-design/components/box';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import type { RateLimitState } from '../../../client/index.ts';
import { useApi } from '../../api.ts';
import { type Caller, useCaller } from '../../caller.tsx';
import { FactsSkeleton } from '../../components/facts-skeleton.tsx';
import { useStore } from '../../use-store.ts';

export function RateLimitPanel() {
  const { rateLimit } = useApi();
  const { data: caller, problem } = useCaller();
  const state = useStore(rateLimit);
  return (
    <Container header={<Header variant="h2">Rate limits</Header>}>
      <ColumnLayout columns={2}>
        <Remaining state={state} />
        {caller ? (
          <Limits limits={caller.rate_limits} />
        ) : problem === undefined ? (
          <FactsSkeleton facts={1} label="Loading rate limits" />
        ) : (
          <Box color="text-body-secondary">Your rate limits are not available.</Box>
        )}
      </ColumnLayout>
    </Container>
  );
}

function Remaining({ state }: { state: RateLimitState | undefined }) {
  if (!state) return <FactsSkeleton facts={1} label="Loading remaining requests" />;
  const { limit, remaining } = state;
  return (
    <ProgressBar
      label={<Box variant="awsui-key-label">Remaining requests</Box>}
      description="As of the last response"
      value={limit > 0 ? (100 * remaining) / limit : 0}
      additionalInfo={`${remaining} of ${limit} requests`}
      ariaLabel={`${remaining} of ${limit} requests remaining`}
    />
  );
}

function Limits({ limits }: { limits: Caller['rate_limits'] }) {
  return (
    <div>
      <Box variant="awsui-key-label">Your limits</Box>
      {limits.map(({ class: name, limit, window_seconds: seconds }) => (
        <div key={name}>
          {limit} requests per {seconds === 1 ? 'second' : seconds === 60 ? 'minute' : `${seconds} seconds`}
          <Box variant="span" color="text-body-secondary">
            {' '}
            ({name})
          </Box>
        </div>
      ))}
    </div>
  );
}
