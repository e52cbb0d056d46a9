import { useEffect } from 'react';
import { useApi } from './api.ts';
import { CallerProvider } from './caller.tsx';
import { currentPath, matchPath } from './location.ts';
import { NotFound } from './pages/not-found.tsx';
import { pages } from './pages/pages.ts';
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
  const { title, Content, parameters } = found(path);
  useEffect(() => {
    document.title = `${title} – Incident Service`;
  }, [title]);
  return (
    <Shell path={path} title={title}>
      <Content key={path} {...parameters} />
    </Shell>
  );
}

function found(path: string) {
  for (const page of pages) {
    const parameters = matchPath(page.path, path);
    if (parameters) return { ...page, parameters };
  }
  return { title: 'Page not found', Content: NotFound, parameters: {} };
}
