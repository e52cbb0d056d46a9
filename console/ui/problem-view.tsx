import { ServiceProblem } from '../../client/index.ts';
import { Alert, Box, Button, CopyButton, Stack } from './kit/index.ts';

/** Shows a problem as the service describes it, with the request id for support. */
export function ProblemView({ problem, onRetry }: { problem: unknown; onRetry?: () => void }) {
  const { title, detail, errors, requestId, retryAfterSeconds } = listFacts(problem);
  return (
    <Alert type="error" header={title} action={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      <Stack gap="xs">
        <div role="status">
          <span className="wrapping">{detail}</span>
        </div>
        {errors.length > 0 && (
          <ul>
            {errors.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <strong>{field}</strong> {message}
              </li>
            ))}
          </ul>
        )}
        {retryAfterSeconds !== undefined && <span>Try again in {retryAfterSeconds} seconds.</span>}
        {requestId && (
          <Box small>
            Request <CopyButton isValueShown label="Copy request ID" value={requestId} />
          </Box>
        )}
      </Stack>
    </Alert>
  );
}

function listFacts(
  problem: unknown,
): Pick<ServiceProblem, 'title' | 'detail' | 'errors' | 'requestId' | 'retryAfterSeconds'> {
  if (problem instanceof ServiceProblem) return problem;
  const detail = problem instanceof Error ? problem.message : String(problem);
  return { title: 'Something went wrong', detail, errors: [], requestId: undefined, retryAfterSeconds: undefined };
}
