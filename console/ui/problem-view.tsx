import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import LiveRegion from '@cloudscape-design/components/live-region';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { ServiceProblem } from '../../client/index.ts';

/** Shows a problem as the service describes it, with the request id for support. */
export function ProblemView({ problem, onRetry }: { problem: unknown; onRetry?: () => void }) {
  const { title, detail, errors, requestId, retryAfterSeconds } = listFacts(problem);
  return (
    <Alert
      type="error"
      header={title}
      action={onRetry && <Button onClick={onRetry}>Try again</Button>}
      statusIconAriaLabel="Error"
    >
      <SpaceBetween size="xs">
        <LiveRegion>
          <span className="wrapping">{detail}</span>
        </LiveRegion>
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
          <Box fontSize="body-s">
            Request{' '}
            <CopyToClipboard
              variant="inline"
              copyButtonAriaLabel="Copy request ID"
              copySuccessText="Copied"
              copyErrorText="Could not copy"
              textToCopy={requestId}
            />
          </Box>
        )}
      </SpaceBetween>
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
