import { parse } from 'regexparam';
import { matchRoute } from 'wouter';
import { useHasRole } from '../base/caller.tsx';
import { IncidentListPage } from '../features/incidents/incident-list-page.tsx';
import { lazyPage, type PageContent } from '../ui/lazy-page.ts';
import { NotFound } from './not-found.tsx';

// Pages that people open after each other share a file, loaded when one of them is first opened. One file per page would be
// a hundred small requests. The incident list, where most people start, is part of the first file.

const loadRecords = () => import('./record-pages.ts');
const loadService = () => import('./service-pages.ts');

const record = (name: keyof Awaited<ReturnType<typeof loadRecords>>) => lazyPage(loadRecords, name);
const service = (name: keyof Awaited<ReturnType<typeof loadService>>) => lazyPage(loadService, name);

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
  contents: Readonly<Record<'List' | 'Create' | 'One' | 'Edit', PageContent>>;
  /** Pages whose paths would otherwise match as ids. */
  before?: readonly Page[];
}

const createRecordContents = (kind: 'Incident' | 'Change' | 'Request' | 'Ci' | 'Article') => ({
  Create: record(`Create${kind}Page`),
  One: record(`${kind}Page`),
  Edit: record(`Edit${kind}Page`),
});

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

/** Schedules and policies are listed on the page of who is on call. */
function onCallForms(path: string, thing: string, Create: PageContent, Edit: PageContent): readonly Page[] {
  const form = { parent: '/on-call', contentType: 'form' } as const;
  return [
    { ...form, path: `${path}/new`, title: `Create ${thing}`, Content: Create },
    { ...form, path: `${path}/:id/edit`, title: `Edit ${thing}`, getName: getId, Content: Edit },
  ];
}

const desk = 'Service desk';
const integrations = 'Integrations';

export const pages: readonly Page[] = [
  {
    path: '/',
    title: 'Overview',
    section: '',
    Content: lazyPage(() => import('../features/home/home-page.tsx'), 'HomePage'),
  },
  ...recordPages({
    list: '/incidents',
    title: 'Incidents',
    thing: 'incident',
    contents: { ...createRecordContents('Incident'), List: IncidentListPage },
    before: [{ path: '/incidents/board', title: 'Board', section: desk, Content: record('BoardPage') }],
  }),
  ...recordPages({
    list: '/changes',
    title: 'Changes',
    thing: 'change',
    contents: { ...createRecordContents('Change'), List: record('ChangeListPage') },
    before: [{ path: '/changes/calendar', title: 'Change calendar', section: desk, Content: record('CalendarPage') }],
  }),
  ...recordPages({
    list: '/requests',
    title: 'Service requests',
    thing: 'request',
    contents: { ...createRecordContents('Request'), List: record('RequestListPage') },
  }),
  ...recordPages({
    list: '/cis',
    title: 'Configuration items',
    thing: 'item',
    create: 'Add item',
    contents: { ...createRecordContents('Ci'), List: record('CiListPage') },
    before: [
      {
        path: '/cis/import',
        title: 'Import items',
        parent: '/cis',
        contentType: 'form',
        Content: record('ImportCisPage'),
      },
    ],
  }),
  ...recordPages({
    list: '/knowledge',
    title: 'Knowledge',
    thing: 'article',
    contents: { ...createRecordContents('Article'), List: record('ArticleListPage') },
  }),
  { path: '/on-call', title: 'On call', section: desk, Content: record('OnCallPage') },
  ...onCallForms('/on-call/schedules', 'schedule', record('CreateSchedulePage'), record('EditSchedulePage')),
  ...onCallForms('/on-call/policies', 'policy', record('CreatePolicyPage'), record('EditPolicyPage')),
  { path: '/proposals', title: 'Proposals', section: desk, contentType: 'table', Content: record('ProposalListPage') },
  {
    path: '/proposals/:id',
    title: 'Proposal',
    getName: getId,
    parent: '/proposals',
    Content: record('ProposalPage'),
  },
  { path: '/ask', title: 'Ask', section: desk, contentType: 'form', Content: record('AskPage') },
  { path: '/jobs', title: 'Bulk jobs', section: desk, contentType: 'table', Content: service('JobListPage') },
  { path: '/jobs/:id', title: 'Bulk job', getName: getId, parent: '/jobs', Content: service('JobPage') },
  { path: '/notifications', title: 'Notifications', section: desk, Content: service('NotificationListPage') },
  ...recordPages({
    list: '/webhooks/inbound',
    title: 'Inbound webhooks',
    thing: 'webhook',
    section: integrations,
    forManagers: true,
    contents: {
      List: service('InboundListPage'),
      Create: service('CreateInboundPage'),
      One: service('InboundPage'),
      Edit: service('EditInboundPage'),
    },
  }),
  {
    path: '/webhooks/inbound/:id/events/:event_id',
    title: 'Received event',
    parent: '/webhooks/inbound/:id',
    Content: service('EventPage'),
  },
  ...recordPages({
    list: '/webhooks/outbound',
    title: 'Outbound webhooks',
    thing: 'webhook',
    section: integrations,
    forManagers: true,
    contents: {
      List: service('OutboundListPage'),
      Create: service('CreateOutboundPage'),
      One: service('OutboundPage'),
      Edit: service('EditOutboundPage'),
    },
  }),
  {
    path: '/webhooks/outbound/:id/deliveries/:delivery_id',
    title: 'Delivery',
    parent: '/webhooks/outbound/:id',
    Content: service('DeliveryPage'),
  },
  { path: '/developer', title: 'Developer', section: integrations, Content: service('DeveloperPage') },
  { path: '/developer/api', title: 'API reference', section: integrations, Content: service('ApiReferencePage') },
  {
    path: '/developer/api/:operation',
    title: 'Operation',
    getName: ({ operation = '' }) => operation,
    parent: '/developer/api',
    Content: service('OperationPage'),
  },
  { path: '/profile', title: 'Profile', section: integrations, Content: service('ProfilePage') },
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
