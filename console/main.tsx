import '@cloudscape-design/global-styles/index.css';
import './console.css';
import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClient, QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { findPage } from './app/pages.ts';
import { StartFailed } from './app/signed-out.tsx';
import { type Api, ApiContext, openApi } from './base/api.ts';
import { loadConfig } from './base/config.ts';
import { firstViewEnded, hasFirstView } from './base/handover.ts';
import { currentPath } from './base/router.ts';
import { openSession } from './base/session.ts';

// The client retries by itself. Nothing is cached: a page always shows what the service has now.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  },
});

// The code of the page loads beside the configuration and the session.
const pageLoaded = findPage(currentPath()).Content.preload?.();

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no element #root.');
const root = createRoot(element);

root.render(
  <StrictMode>
    <I18nProvider locale="en" messages={[messages]}>
      {await start()}
    </I18nProvider>
  </StrictMode>,
);

async function start() {
  try {
    const config = await loadConfig();
    const api = openApi(config, await openSession(config));
    await loadStyles();
    if (hasFirstView() && currentPath() === '/incidents') await Promise.all([pageLoaded, loadFirstData(api)]);
    return (
      <QueryClientProvider client={queries}>
        <ApiContext value={api}>
          <App />
        </ApiContext>
      </QueryClientProvider>
    );
  } catch (error) {
    return <StartFailed problem={error} />;
  }
}

/**
 * Takes over the records of the first view, so that the application starts with them. They count as up to date until
 * the application is on the screen, however slow the machine is.
 */
async function loadFirstData({ client }: Api): Promise<void> {
  const { createFirstQuery } = await import('./features/incidents/incident-list-page.tsx');
  const caller = { queryKey: ['me'], queryFn: () => client.getMe({}) };
  const load = (query: { queryKey: string[]; queryFn(context: { signal: AbortSignal }): Promise<unknown> }) => {
    queries.setQueryDefaults(query.queryKey, { staleTime: Number.POSITIVE_INFINITY });
    const release = new QueryObserver<unknown>(queries, query).subscribe(() => {});
    firstViewEnded.then(() => {
      queries.setQueryDefaults(query.queryKey, { staleTime: 0 });
      release();
    });
    return queries.prefetchQuery(query);
  };
  await Promise.all([load(caller), load(createFirstQuery(client))]);
}

/** The components measure themselves, so they need their styles. */
async function loadStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[data-styles]');
  if (!link || link.sheet) return;
  await new Promise((resolve) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', resolve);
  });
}
