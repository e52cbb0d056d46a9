import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Api, ApiContext } from '../base/api.ts';
import { type Caller, callerKey } from '../base/caller.tsx';
import { App } from './app.tsx';
import { StartFailed } from './signed-out.tsx';

// The client retries by itself. Nothing is cached: a page always shows what the service has now.
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, networkMode: 'always', gcTime: 0, refetchOnWindowFocus: false, refetchOnReconnect: false },
  },
});

/** Time enough to render the first page. */
const callerKeptMs = 60_000;

/** `caller` is a request that has already started. */
export async function showConsole({ api, caller }: { api: Api; caller?: Promise<Caller> | undefined }): Promise<void> {
  if (caller) await queries.prefetchQuery({ queryKey: callerKey, queryFn: () => caller, gcTime: callerKeptMs });
  show(
    <QueryClientProvider client={queries}>
      <ApiContext value={api}>
        <App />
      </ApiContext>
    </QueryClientProvider>,
  );
}

export function showFailure(problem: unknown): void {
  show(<StartFailed problem={problem} />);
}

function show(content: ReactNode): void {
  const element = document.getElementById('root');
  if (!element) throw new Error('index.html has no element #root.');
  createRoot(element).render(<StrictMode>{content}</StrictMode>);
}
