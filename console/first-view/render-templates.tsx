import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { findPage } from '../app/pages.ts';
import { Shell } from '../app/shell.tsx';
import { SunIcon } from '../app/top-bar.tsx';
import { ApiContext, openApi } from '../base/api.ts';
import { CallerProvider } from '../base/caller.tsx';
import { createStore } from '../base/store.ts';
import { CardFacts, CardTitle, columns, listTexts } from '../features/incidents/incident-list-page.tsx';
import { defaultLimit } from '../records/list-address.ts';
import { createListQuery, RecordList } from '../records/record-list.tsx';
import { PriorityBadge, SlaIndicator, StateLabel, slaStatuses } from '../resources/incident-labels.tsx';
import { incidentPath, incidentViews, priorities, states } from '../resources/incident-words.ts';
import { PageLink } from '../ui/links.tsx';
import { noValue } from '../ui/text.tsx';
import type { FirstViewTemplates, PageTemplate } from './templates.ts';

// Runs in the build, not in the browser. The components themselves render the first view, so that it looks like the page
// that replaces it.

const never = () => Promise.reject(new Error('The build sends no requests.'));

const sampleTotal = 1_111_111;

export function renderPage(isNarrow: boolean): PageTemplate {
  const html = render(
    <Shell path="/incidents" page={findPage('/incidents')}>
      <RecordList
        {...listTexts}
        columns={columns.map((column) => ({ ...column, cell: () => `~${column.id}~` }))}
        card={{
          header: () => '~card_title~',
          sections: [
            {
              id: 'facts',
              content: () => (
                <CardFacts line="~line~">
                  {'~priority~'}
                  {'~state~'}
                  {'~sla~'}
                </CardFacts>
              ),
            },
          ],
        }}
        load={never}
        views={incidentViews('~email~')}
        bulk={{ max: 0, Modal: () => null }}
        triage={{ path: () => '', preview: () => ({ header: '', content: null }) }}
      />
    </Shell>,
  );
  const page = html
    .replaceAll(sampleTotal.toLocaleString('en'), '~total~')
    .replaceAll(String(Math.ceil(sampleTotal / defaultLimit)), '~pages~');
  return isNarrow ? splitRow(page, 'li', '~card_title~') : splitRow(page, 'tr', '~priority~');
}

export function renderLabels(): Omit<FirstViewTemplates, 'wide' | 'narrow'> {
  const renderEach = <Key extends string>(keys: readonly Key[], label: (key: Key) => ReactNode) =>
    Object.fromEntries(keys.map((key) => [key, render(label(key))]));
  const path = incidentPath('~id~');
  return {
    cells: {
      id: render(<PageLink to={path}>~id~</PageLink>),
      short_description: render(
        <PageLink to={path} variant="secondary">
          ~short_description~
        </PageLink>,
      ),
      card_title: render(<CardTitle id="~id~">~short_description~</CardTitle>),
      none: render(noValue),
      sun: render(<SunIcon />),
    },
    priority: renderEach(priorities, (priority) => <PriorityBadge priority={priority} />),
    state: renderEach(states, (state) => <StateLabel state={state} />),
    sla: renderEach(slaStatuses, (status) => (
      <SlaIndicator status={status} title="~title~">
        ~text~
      </SlaIndicator>
    )),
  };
}

function render(content: ReactNode): string {
  const config = {
    base_url: 'http://localhost',
    auth_url: 'http://localhost',
    client_id: '',
    service_instance: '~instance~',
  };
  const session = {
    state: createStore({ status: 'signed_in' as const, accessToken: '', renewAt: 0 }),
    signIn: never,
    signOut: never,
    accessToken: never,
  };
  const forever = Number.POSITIVE_INFINITY;
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: forever, gcTime: forever } } });
  queries.setQueryData(['me'], { email: '~email~', roles: ['itsm_agent'] });
  const { queryKey } = createListQuery({ ...listTexts, load: never }, '');
  queries.setQueryData(queryKey, { data: [{ id: '~record~' }], total: sampleTotal });
  return renderToStaticMarkup(
    <I18nProvider locale="en" messages={[messages]}>
      <QueryClientProvider client={queries}>
        <ApiContext value={openApi(config, session)}>
          <CallerProvider>{content}</CallerProvider>
        </ApiContext>
      </QueryClientProvider>
    </I18nProvider>,
  );
}

/** Cuts the element around the text out of the page. */
function splitRow(page: string, tag: 'tr' | 'li', text: string): PageTemplate {
  const inside = page.indexOf(text);
  const start = page.lastIndexOf(`<${tag} `, inside);
  const end = page.indexOf(`</${tag}>`, inside) + `</${tag}>`.length;
  if (inside < 0 || start < 0) throw new Error(`The incident list has no ${tag} with ${text}.`);
  return { page: `${page.slice(0, start)}~rows~${page.slice(end)}`, row: page.slice(start, end) };
}
