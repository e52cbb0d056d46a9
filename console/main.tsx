import './ui/tokens.css';
import './console.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { findPage } from './app/pages.ts';
import { StartFailed } from './app/signed-out.tsx';
import { ApiContext, openApi } from './base/api.ts';
import { loadConfig } from './base/config.ts';
import { currentPath } from './base/router.ts';
import { openSession } from './base/session.ts';

// The client retries by itself. Nothing is cached: a page always shows what the service has now.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  },
});

// The code of the page loads beside the configuration and the session.
void findPage(currentPath()).Content.preload?.();

const element = document.getElementById('root');
if (!element) throw new Error('index.html has no element #root.');

createRoot(element).render(<StrictMode>{await start()}</StrictMode>);

async function start() {
  try {
    const config = await loadConfig();
    const api = openApi(config, await openSession(config));
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
