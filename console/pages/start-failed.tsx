import Box from '@cloudscape-design/components/box';
import { ProblemView } from '../components/problem-view.tsx';

/** Without its configuration the console can do nothing but say so. */
export function StartFailed({ problem }: { problem: unknown }) {
  return (
    <main>
      <Box padding="xxl">
        <ProblemView problem={problem} onRetry={() => window.location.reload()} />
      </Box>
    </main>
  );
}
