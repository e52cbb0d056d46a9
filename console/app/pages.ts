import { parse } from 'regexparam';
import { matchRoute } from 'wouter';
import { useHasRole } from '../base/caller.tsx';
import { lazyPage, type PageContent } from '../ui/lazy-page.ts';
import { NotFound } from './not-found.tsx';

// Pages that people open after each other share a file, loaded when one of them is first opened. One file per page would be
// a hundred small requests.

const loadRecords = () => import('./record-pages.ts');
const loadService = () => import('./service-pages.ts');

const AskPage = lazyPage(loadRecords, 'AskPage');
const HomePage = lazyPage(() => import('../features/home/home-page.tsx'), 'HomePage');
const CalendarPage = lazyPage(loadRecords, 'CalendarPage');
const ChangeListPage = lazyPage(loadRecords, 'ChangeListPage');
const CiListPage = lazyPage(loadRecords, 'CiListPage');
const BoardPage = lazyPage(loadRecords, 'BoardPage');
const IncidentListPage = lazyPage(() => import('../features/incidents/incident-list-page.tsx'), 'IncidentListPage');
const ArticleListPage = lazyPage(loadRecords, 'ArticleListPage');
const RequestListPage = lazyPage(loadRecords, 'RequestListPage');
const ChangePage = lazyPage(loadRecords, 'ChangePage');
const CreateChangePage = lazyPage(loadRecords, 'CreateChangePage');
const EditChangePage = lazyPage(loadRecords, 'EditChangePage');
const CreateCiPage = lazyPage(loadRecords, 'CreateCiPage');
const EditCiPage = lazyPage(loadRecords, 'EditCiPage');
const ImportCisPage = lazyPage(loadRecords, 'ImportCisPage');
const CiPage = lazyPage(loadRecords, 'CiPage');
const CreateIncidentPage = lazyPage(loadRecords, 'CreateIncidentPage');
const EditIncidentPage = lazyPage(loadRecords, 'EditIncidentPage');
const IncidentPage = lazyPage(loadRecords, 'IncidentPage');
const CreateArticlePage = lazyPage(loadRecords, 'CreateArticlePage');
const EditArticlePage = lazyPage(loadRecords, 'EditArticlePage');
const ArticlePage = lazyPage(loadRecords, 'ArticlePage');
const CreateRequestPage = lazyPage(loadRecords, 'CreateRequestPage');
const EditRequestPage = lazyPage(loadRecords, 'EditRequestPage');
const RequestPage = lazyPage(loadRecords, 'RequestPage');
const ApiReferencePage = lazyPage(loadService, 'ApiReferencePage');
const OperationPage = lazyPage(loadService, 'OperationPage');
const DeveloperPage = lazyPage(loadService, 'DeveloperPage');
const JobListPage = lazyPage(loadService, 'JobListPage');
const JobPage = lazyPage(loadService, 'JobPage');
const NotificationListPage = lazyPage(loadService, 'NotificationListPage');
const ProfilePage = lazyPage(loadService, 'ProfilePage');
const DeliveryPage = lazyPage(loadService, 'DeliveryPage');
const EventPage = lazyPage(loadService, 'EventPage');
const CreateInboundPage = lazyPage(loadService, 'CreateInboundPage');
const EditInboundPage = lazyPage(loadService, 'EditInboundPage');
const InboundListPage = lazyPage(loadService, 'InboundListPage');
const InboundPage = lazyPage(loadService, 'InboundPage');
const CreateOutboundPage = lazyPage(loadService, 'CreateOutboundPage');
const EditOutboundPage = lazyPage(loadService, 'EditOutboundPage');
const OutboundListPage = lazyPage(loadService, 'OutboundListPage');
const OutboundPage = lazyPage(loadService, 'OutboundPage');

type PathParameters = Readonly<Record<string, string>>;

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
  /** Navigation and search offer it to managers only. */
  forManagers?: true;
  /** Tables take the full width. */
  contentType?: 'default' | 'table' | 'form';
  Content: PageContent;
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
  forManagers?: true;
  contents: { List: Page['Content']; Create: Page['Content']; One: Page['Content']; Edit: Page['Content'] };
  /** Pages whose paths would otherwise match as ids. */
  before?: readonly Page[];
}

const getId = ({ id = '' }: PathParameters) => id;

/** The pages that every kind of record has. */
function recordPages(pagesOfKind: RecordPages): readonly Page[] {
  const { list, title, thing, create, section = 'Service desk', contents, before = [] } = pagesOfKind;
  const managers = pagesOfKind.forManagers ? { forManagers: true as const } : {};
  const one = `${list}/:id`;
  const form = { contentType: 'form' } as const;
  const name = thing.charAt(0).toUpperCase() + thing.slice(1);
  return [
    { path: list, title, section, contentType: 'table', Content: contents.List, ...managers },
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
    before: [{ path: '/incidents/board', title: 'Board', section: desk, Content: BoardPage }],
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
    forManagers: true,
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
    forManagers: true,
    contents: { List: OutboundListPage, Create: CreateOutboundPage, One: OutboundPage, Edit: EditOutboundPage },
  }),
  {
    path: '/webhooks/outbound/:id/deliveries/:delivery_id',
    title: 'Delivery',
    parent: '/webhooks/outbound/:id',
    Content: DeliveryPage,
  },
  { path: '/developer', title: 'Developer', section: integrations, Content: DeveloperPage },
  { path: '/developer/api', title: 'API reference', section: integrations, Content: ApiReferencePage },
  {
    path: '/developer/api/:operation',
    title: 'Operation',
    getName: ({ operation = '' }) => operation,
    parent: '/developer/api',
    Content: OperationPage,
  },
  { path: '/profile', title: 'Profile', section: integrations, Content: ProfilePage },
];

/** The pages that navigation and search offer to the user. */
export function useOfferedPages(): readonly Page[] {
  const isManager = useHasRole('itsm_manager');
  return pages.filter(({ section, forManagers }) => section !== undefined && (isManager || !forManagers));
}

export interface FoundPage extends Page {
  parameters: PathParameters;
  name: string;
  /** From the page below the overview down to this one. */
  trail: readonly { name: string; path: string }[];
}

/** Finds the first page whose path matches, or the page that says there is none. */
export function findPage(path: string): FoundPage {
  for (const page of pages) {
    const [isMatch, parameters] = matchRoute<PathParameters>(parse, page.path, path);
    if (isMatch) return toFoundPage(page, parameters);
  }
  return toFoundPage({ path, title: 'Page not found', Content: NotFound }, {});
}

function toFoundPage(page: Page, parameters: PathParameters): FoundPage {
  const name = page.getName?.(parameters) ?? page.title;
  const parent = page.parent === undefined ? [] : findPage(fillPath(page.parent, parameters)).trail;
  return { ...page, parameters, name, trail: [...parent, { name, path: fillPath(page.path, parameters) }] };
}

function fillPath(pattern: string, parameters: PathParameters): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? '');
}
