import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { currentPath, hrefOf, navigate } from '../location.ts';
import { useStore } from '../use-store.ts';

export function NotFound() {
  const path = useStore(currentPath);
  return (
    <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
      <SpaceBetween size="m">
        <Box variant="h1">There is no page at this address</Box>
        <Box color="text-body-secondary">
          <span className="wrapping">{hrefOf(path)}</span> may be mistyped, or the page may have moved.
        </Box>
        <Button
          variant="primary"
          href={hrefOf('/')}
          onFollow={(event) => {
            event.preventDefault();
            navigate('/');
          }}
        >
          Go to the overview
        </Button>
      </SpaceBetween>
    </Box>
  );
}
