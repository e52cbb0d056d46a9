import './ui/tokens.css';
import './console.css';
import { findPage } from './app/pages.ts';
import { openApi } from './base/api.ts';
import { loadConfig } from './base/config.ts';
import { currentPath } from './base/router.ts';
import { openSession } from './base/session.ts';

// The first and smallest file: it needs no renderer. It starts everything that a page waits for at once: the renderer with the
// layout, the code of the page, and the caller, whose role decides what the page shows.

void show(import('./app/view.tsx'), openConsole());
void findPage(currentPath()).Content.preload?.();

// No `await` outside of functions: other files import this one, and would wait for it.
async function show(view: Promise<typeof import('./app/view.tsx')>, opened: ReturnType<typeof openConsole>) {
  const { showConsole, showFailure } = await view;
  await opened.then(showConsole, showFailure);
}

async function openConsole() {
  const config = await loadConfig();
  const api = openApi(config, await openSession(config));
  const isSignedIn = api.session.state.get().status === 'signed_in';
  return { api, caller: isSignedIn ? api.client.getMe({}) : undefined };
}
