import type { ComponentType } from 'react';
import type { Parser } from 'wouter';
import { AskPage } from '../features/assistant/ask-page.tsx';
import { CalendarPage } from '../features/changes/calendar-page.tsx';
import { ChangeListPage } from '../features/changes/change-list-page.tsx';
import { ChangePage, CreateChangePage, EditChangePage } from '../features/changes/change-page.tsx';
import { CreateCiPage, EditCiPage, ImportCisPage } from '../features/cmdb/ci-forms.tsx';
import { CiListPage } from '../features/cmdb/ci-list-page.tsx';
import { CiPage } from '../features/cmdb/ci-page.tsx';
import { HomePage } from '../features/home/home-page.tsx';
import { CreateIncidentPage, EditIncidentPage } from '../features/incidents/incident-forms.tsx';
import { IncidentListPage } from '../features/incidents/incident-list-page.tsx';
import { IncidentPage } from '../features/incidents/incident-page.tsx';
import { JobListPage } from '../features/jobs/job-list-page.tsx';
import { JobPage } from '../features/jobs/job-page.tsx';
import { CreateArticlePage, EditArticlePage } from '../features/knowledge/article-forms.tsx';
import { ArticleListPage } from '../features/knowledge/article-list-page.tsx';
import { ArticlePage } from '../features/knowledge/article-page.tsx';
import { NotificationListPage } from '../features/notifications/notification-list-page.tsx';
import { ProfilePage } from '../features/profile/profile-page.tsx';
import { RequestListPage } from '../features/requests/request-list-page.tsx';
import { CreateRequestPage, EditRequestPage, RequestPage } from '../features/requests/request-page.tsx';
import { DeliveryPage } from '../features/webhooks/delivery-page.tsx';
import { EventPage } from '../features/webhooks/inbound-events.tsx';
import {
  CreateInboundPage,
  EditInboundPage,
  InboundListPage,
  InboundPage,
} from '../features/webhooks/inbound-pages.tsx';
import {
  CreateOutboundPage,
  EditOutboundPage,
  OutboundListPage,
  OutboundPage,
} from '../features/webhooks/outbound-pages.tsx';
import { NotFound } from './not-found.tsx';
import { matchPath, type PathParameters } from './router.ts';

/** One address of the console. */
interface Page {
  /** `:name` for parameters, which the component gets as properties. */
  path: string;
  title: string;
  /** The name of one of several pages at this path, such as the id of a record. */
  getName?(parameters: PathParameters): string;
  /** The path of the page above it, with the same parameters. */
  parent?: string;
  /** The section of the side navigation; pages without one are reached from other pages. */
  section?: string;
  /** Tables take the full width. */
  contentType?: 'default' | 'table' | 'form';
  // biome-ignore lint/suspicious/noExplicitAny: each page has its own parameters; the path names them.
  Content: ComponentType<any>;
}

interface RecordPages {
  /** The path of the list. */
  list: string;
  title: string;
  /** The name of one record. */
  thing: string;
  /** The title of the page that creates one, if not "Create …". */
  create?: string;
  section?: string;
  contents: { List: Page['Content']; Create: Page['Content']; One: Page['Content']; Edit: Page['Content'] };
  /** Pages whose paths would otherwise match as ids. */
  before?: readonly Page[];
}

const getId = ({ id = '' }: PathParameters) => id;

/** The pages that every kind of record has. */
function recordPages(pagesOfKind: RecordPages): readonly Page[] {
  const { list, title, thing, create, section = 'Service desk', contents, before = [] } = pagesOfKind;
  const one = `${list}/:id`;
  const form = { contentType: 'form' } as const;
  const name = thing.charAt(0).toUpperCase() + thing.slice(1);
  return [
    { path: list, title, section, contentType: 'table', Content: contents.List },
    ...before,
    { ...form, path: `${list}/new`, title: create ?? `Create ${thing}`, parent: list, Content: contents.Create },
    { path: one, title: name, getName: getId, parent: list, Content: contents.One },
    {
      ...form,
      path: `${one}/edit`,
      title: `Edit ${thing}`,
      getName: () => 'Edit',
      parent: one,
      Content: contents.Edit,
    },
  ];
}

const desk = 'Service desk';
const integrations = 'Integrations';

export const pages: readonly Page[] = [
  { path: '/', title: 'Overview', section: '', Content: HomePage },
  ...recordPages({
    list: '/incidents',
    title: 'Incidents',
    thing: 'incident',
    contents: { List: IncidentListPage, Create: CreateIncidentPage, One: IncidentPage, Edit: EditIncidentPage },
  }),
  ...recordPages({
    list: '/changes',
    title: 'Changes',
    thing: 'change',
    contents: { List: ChangeListPage, Create: CreateChangePage, One: ChangePage, Edit: EditChangePage },
    before: [{ path: '/changes/calendar', title: 'Change calendar', section: desk, Content: CalendarPage }],
  }),
  ...recordPages({
    list: '/requests',
    title: 'Service requests',
    thing: 'request',
    contents: { List: RequestListPage, Create: CreateRequestPage, One: RequestPage, Edit: EditRequestPage },
  }),
  ...recordPages({
    list: '/cis',
    title: 'Configuration items',
    thing: 'item',
    create: 'Add item',
    contents: { List: CiListPage, Create: CreateCiPage, One: CiPage, Edit: EditCiPage },
    before: [
      { path: '/cis/import', title: 'Import items', parent: '/cis', contentType: 'form', Content: ImportCisPage },
    ],
  }),
  ...recordPages({
    list: '/knowledge',
    title: 'Knowledge',
    thing: 'article',
    contents: { List: ArticleListPage, Create: CreateArticlePage, One: ArticlePage, Edit: EditArticlePage },
  }),
  { path: '/ask', title: 'Ask', section: desk, contentType: 'form', Content: AskPage },
  { path: '/jobs', title: 'Bulk jobs', section: desk, contentType: 'table', Content: JobListPage },
  { path: '/jobs/:id', title: 'Bulk job', getName: getId, parent: '/jobs', Content: JobPage },
  { path: '/notifications', title: 'Notifications', section: desk, Content: NotificationListPage },
  ...recordPages({
    list: '/webhooks/inbound',
    title: 'Inbound webhooks',
    thing: 'webhook',
    section: integrations,
    contents: { List: InboundListPage, Create: CreateInboundPage, One: InboundPage, Edit: EditInboundPage },
  }),
  {
    path: '/webhooks/inbound/:id/events/:event_id',
    title: 'Received event',
    parent: '/webhooks/inbound/:id',
    Content: EventPage,
  },
  ...recordPages({
    list: '/webhooks/outbound',
    title: 'Outbound webhooks',
    thing: 'webhook',
    section: integrations,
    contents: { List: OutboundListPage, Create: CreateOutboundPage, One: OutboundPage, Edit: EditOutboundPage },
  }),
  {
    path: '/webhooks/outbound/:id/deliveries/:delivery_id',
    title: 'Delivery',
    parent: '/webhooks/outbound/:id',
    Content: DeliveryPage,
  },
  { path: '/profile', title: 'Profile', section: integrations, Content: ProfilePage },
];

export interface FoundPage extends Page {
  parameters: PathParameters;
  name: string;
  /** From the page below the overview down to this one. */
  trail: readonly { name: string; path: string }[];
}

/** Finds the first page whose path matches, or the page that says there is none. */
export function findPage(parser: Parser, path: string): FoundPage {
  for (const page of pages) {
    const parameters = matchPath(parser, page.path, path);
    if (parameters) return toFoundPage(parser, page, parameters);
  }
  return toFoundPage(parser, { path, title: 'Page not found', Content: NotFound }, {});
}

function toFoundPage(parser: Parser, page: Page, parameters: PathParameters): FoundPage {
  const name = page.getName?.(parameters) ?? page.title;
  const parent = page.parent === undefined ? [] : findPage(parser, fillPath(page.parent, parameters)).trail;
  return { ...page, parameters, name, trail: [...parent, { name, path: fillPath(page.path, parameters) }] };
}

function fillPath(pattern: string, parameters: PathParameters): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
}
