import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useApi } from '../base/api.ts';
import { useStore } from '../base/store.ts';
import icon from '../icon.svg';
import { ProblemView } from '../ui/problem-view.tsx';
import { TopBar } from './top-bar.tsx';

export function SignedOut() {
  const { config, session } = useApi();
  const state = useStore(session.state);
  const [failure, setFailure] = useState<unknown>();
  const [leaving, setLeaving] = useState(false);
  const problem = failure ?? (state.status === 'signed_out' ? state.problem : undefined);
  const signIn = () => {
    setLeaving(true);
    session.signIn().catch((error: unknown) => {
      setLeaving(false);
      setFailure(error);
    });
  };
  useEffect(() => {
    document.title = 'Sign in – Incident Service';
  }, []);
  return (
    <>
      <TopBar />
      <main className="signed-out">
        <Box padding="l">
          <SpaceBetween size="l">
            {problem !== undefined && <ProblemView problem={problem} />}
            <Container>
              <Box textAlign="center" padding="l">
                <SpaceBetween size="l">
                  <img src={icon} alt="" width={56} height={56} />
                  <SpaceBetween size="xs">
                    <Box variant="h1">Incident Service</Box>
                    <Box color="text-body-secondary">Instance {config.service_instance}</Box>
                  </SpaceBetween>
                  <Button
                    variant="primary"
                    fullWidth
                    loading={leaving}
                    loadingText="Opening sign-in page"
                    onClick={signIn}
                  >
                    Sign in
                  </Button>
                </SpaceBetween>
              </Box>
            </Container>
          </SpaceBetween>
        </Box>
      </main>
    </>
  );
}

/** Shown when the configuration cannot be loaded. */
export function StartFailed({ problem }: { problem: unknown }) {
  return (
    <main>
      <Box padding="xxl">
        <ProblemView problem={problem} onRetry={() => window.location.reload()} />
      </Box>
    </main>
  );
}
