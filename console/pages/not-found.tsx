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
        <Box variant="h1">Page not found</Box>
        <Box color="text-body-secondary">
          <span className="wrapping">{hrefOf(path)}</span> does not exist. Check the address or go to the overview.
        </Box>
        <Button
          variant="primary"
          href={hrefOf('/')}
          onFollow={(event) => {
            event.preventDefault();
            navigate('/');
          }}
        >
          Go to overview
        </Button>
      </SpaceBetween>
    </Box>
  );
}
