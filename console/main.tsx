import '@cloudscape-design/global-styles/index.css';
import './console.css';
import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiContext, openApi } from './api.ts';
import { App } from './app.tsx';
import { loadConfig } from './config.ts';
import { StartFailed } from './pages/start-failed.tsx';
import { openSession } from './session.ts';

const root = createRoot(document.getElementById('root')!);

root.render(
  <StrictMode>
    <I18nProvider locale="en" messages={[messages]}>
      {await started()}
    </I18nProvider>
  </StrictMode>,
);

async function started() {
  try {
    const config = await loadConfig();
    const api = openApi(config, await openSession(config));
    return (
      <ApiContext value={api}>
        <App />
      </ApiContext>
    );
  } catch (error) {
    return <StartFailed problem={error} />;
  }
}
