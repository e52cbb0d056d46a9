import { useEffect } from 'react';
import { useApi } from './api.ts';
import { CallerProvider } from './caller.tsx';
import { currentPath } from './location.ts';
import { pageAt } from './pages/pages.ts';
import { SignedOut } from './pages/signed-out.tsx';
import { Shell } from './shell/shell.tsx';
import { useStore } from './use-store.ts';

export function App() {
  const { session } = useApi();
  const { status } = useStore(session.state);
  if (status === 'signed_out') return <SignedOut />;
  return (
    <CallerProvider>
      <CurrentPage />
    </CallerProvider>
  );
}

function CurrentPage() {
  const path = useStore(currentPath);
  const page = pageAt(path);
  const { name, Content, parameters } = page;
  useEffect(() => {
    document.title = `${name} – Incident Service`;
  }, [name]);
  return (
    <Shell path={path} page={page}>
      <Content key={path} {...parameters} />
    </Shell>
  );
}
