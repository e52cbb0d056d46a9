import { useEffect, useState } from 'react';
import { useApi } from '../base/api.ts';
import type { SignInWay } from '../base/session.ts';
import { useStore } from '../base/store.ts';
import icon from '../icon.svg';
import { Box, Button, Container, Stack } from '../ui/kit/index.ts';
import { ProblemView } from '../ui/problem-view.tsx';
import { TopBar } from './top-bar.tsx';

export function SignedOut() {
  const { config, session } = useApi();
  const state = useStore(session.state);
  const [failure, setFailure] = useState<unknown>();
  const [leaving, setLeaving] = useState(false);
  const problem = failure ?? (state.status === 'signed_out' ? state.problem : undefined);
  const { identity_provider: provider, local_passwords: passwords } = config;
  const signIn = (how: SignInWay) => {
    setLeaving(true);
    session.signIn(how).catch((error: unknown) => {
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
        <Box padded="l">
          <Stack>
            {problem !== undefined && <ProblemView problem={problem} />}
            <Container>
              <Box center padded="l">
                <Stack>
                  <img src={icon} alt="" width={56} height={56} />
                  <Stack gap="xs">
                    <Box variant="h1">Incident Service</Box>
                    <Box muted>Instance {config.service_instance}</Box>
                  </Stack>
                  <Button
                    variant="primary"
                    fullWidth
                    loading={leaving}
                    loadingText="Opening sign-in page"
                    onClick={() => signIn(provider ? 'provider' : 'default')}
                  >
                    {provider ? `Sign in with ${provider}` : 'Sign in'}
                  </Button>
                  {provider && passwords !== 'hidden' && (
                    <Button fullWidth onClick={() => signIn('password')}>
                      Sign in with a password
                    </Button>
                  )}
                </Stack>
              </Box>
            </Container>
          </Stack>
        </Box>
      </main>
    </>
  );
}

/** Shown when the configuration cannot be loaded. */
export function StartFailed({ problem }: { problem: unknown }) {
  return (
    <main>
      <Box padded="xxl">
        <ProblemView problem={problem} onRetry={() => window.location.reload()} />
      </Box>
    </main>
  );
}
