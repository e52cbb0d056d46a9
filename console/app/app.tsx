import { useEffect } from 'react';
import { useApi } from '../base/api.ts';
import { CallerProvider } from '../base/caller.tsx';
import { usePath } from '../base/router.ts';
import { useStore } from '../base/store.ts';
import { timeZone } from '../base/time-zone.ts';
import { recordNames } from '../ui/record-names.ts';
import { findPage } from './pages.ts';
import { Shell } from './shell.tsx';
import { SignedOut } from './signed-out.tsx';

export function App() {
  const { session } = useApi();
  const { status } = useStore(session.state);
  const zone = useStore(timeZone);
  if (status === 'signed_out') return <SignedOut />;
  return (
    <CallerProvider>
      <CurrentPage key={zone} />
    </CallerProvider>
  );
}

function CurrentPage() {
  const path = usePath();
  const page = findPage(path);
  const { Content, parameters } = page;
  const names = useStore(recordNames);
  // "Edit" says little without the record.
  const steps = page.trail.slice(page.trail.length > 2 ? 1 : -1).reverse();
  const title = steps.map(({ name }) => names[name] ?? name).join(' · ');
  useEffect(() => {
    document.title = `${title} – Incident Service`;
  }, [title]);
  return (
    <Shell path={path} page={page}>
      <Content key={path} {...parameters} />
    </Shell>
  );
}
