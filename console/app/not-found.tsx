import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { navigate, toHref, usePath } from '../base/router.ts';

export function NotFound() {
  const path = usePath();
  return (
    <Box textAlign="center" padding={{ vertical: 'xxxl' }}>
      <SpaceBetween size="m">
        <Box variant="h1">Page not found</Box>
        <Box color="text-body-secondary">
          <span className="wrapping">{toHref(path)}</span> does not exist. Check the address or go to the overview.
        </Box>
        <Button
          variant="primary"
          href={toHref('/')}
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
