import { parse } from 'regexparam';
import { matchRoute } from 'wouter';
import { hasRole, type Role } from '../../contract/roles.ts';
import { useCaller } from '../base/caller.tsx';
import { IncidentListPage } from '../features/incidents/incident-list-page.tsx';
import type { IconName } from '../ui/kit/index.ts';
import { lazyPage, type PageContent } from '../ui/lazy-page.ts';
import { ProblemPage } from '../ui/problem-page.tsx';

// The pages of a feature are one file, loaded when one of them is first opened. The incident list, where most people start, is
// part of the first file.

const loadIncidents = () => import('../features/incidents/pages.ts');
const loadIncidentForms = () => import('../features/incidents/incident-forms.tsx');
const loadProblems = () => import('../features/problems/problem-pages.tsx');
const loadChanges = () => import('../features/changes/pages.ts');
const loadRequests = () => import('../features/requests/pages.ts');
const loadCmdb = () => import('../features/cmdb/pages.ts');
const loadKnowledge = () => import('../features/knowledge/pages.ts');
const loadOnCall = () => import('../features/on-call/pages.ts');
const loadServiceLevels = () => import('../features/service-levels/pages.ts');
const loadJobs = () => import('../features/jobs/pages.ts');
const loadInbound = () => import('../features/webhooks/inbound-pages.tsx');
const loadOutbound = () => import('../features/webhooks/outbound-pages.tsx');
const loadDeveloper = () => import('../features/developer/pages.ts');
const loadProposals = () => import('../features/proposals/proposal-pages.tsx');

type PathParameters = Readonly<Record<string, string>>;

interface PageOptions {
  /** The name of one of several pages at this path, such as the id of a record. */
  getName?(parameters: PathParameters): string;
  /** The path of the page above it, with the same parameters. */
  parent?: string;
  /** The section of the side navigation; pages without one are reached from other pages. */
  section?: string;
  icon?: IconName;
  /** Navigation and search offer it to people with this role only. */
  minRole?: Role;
  /** Tables take the full width. */
  contentType?: 'default' | 'table' | 'form';
}

/** One address of the console. */
interface Page extends PageOptions {
  /** `:name` for parameters, which the component gets as properties. */
  path: string;
  title: string;
  Content: PageContent;
}

type Loader<Name extends string> = Parameters<typeof lazyPage<Name>>[0];

function page<Name extends string>(
  path: string,
  title: string,
  [load, name]: [Loader<Name>, Name],
  options: PageOptions = {},
): Page {
  return { path, title, Content: lazyPage(load, name), ...options };
}

const getId = ({ id = '' }: PathParameters) => id;
const desk = { section: 'Service desk' };
const integrations = { section: 'Integrations' };
const form = { contentType: 'form' } as const;
const table = { contentType: 'table' } as const;

interface RecordOptions extends PageOptions {
  /** The title of the page that creates one, if not "Create …". */
  create?: string;
  /** Pages whose paths would otherwise match as ids. */
  before?: readonly Page[];
}

/** The pages that every kind of record has. Its forms may be another file. */
function recordPages<Kind extends string>(
  list: string,
  title: string,
  thing: string,
  [load, kind, forms]: [
    Loader<`${Kind}ListPage` | `${Kind}Page`>,
    Kind,
    Loader<`Create${Kind}Page` | `Edit${Kind}Page`>,
  ],
  { create = `Create ${thing}`, before = [], ...options }: RecordOptions,
): readonly Page[] {
  const one = `${list}/:id`;
  const name = thing.charAt(0).toUpperCase() + thing.slice(1);
  return [
    page(list, title, [load, `${kind}ListPage`], { ...desk, ...table, ...options }),
    ...before,
    page(`${list}/new`, create, [forms, `Create${kind}Page`], { ...form, parent: list }),
    page(one, name, [load, `${kind}Page`], { getName: getId, parent: list }),
    page(`${one}/edit`, `Edit ${thing}`, [forms, `Edit${kind}Page`], { ...form, getName: () => 'Edit', parent: one }),
  ];
}

/** Pages of what is listed together with others. */
function formPages<Kind extends string>(
  parent: string,
  path: string,
  thing: string,
  [load, kind]: [Loader<`Create${Kind}Page` | `Edit${Kind}Page`>, Kind],
): readonly Page[] {
  return [
    page(`${path}/new`, `Create ${thing}`, [load, `Create${kind}Page`], { ...form, parent }),
    page(`${path}/:id/edit`, `Edit ${thing}`, [load, `Edit${kind}Page`], { ...form, parent, getName: getId }),
  ];
}

const listed: readonly Page[] = [
  page('/', 'Overview', [() => import('../features/home/home-page.tsx'), 'HomePage'], {
    icon: 'overview',
    section: '',
  }),
  ...recordPages('/incidents', 'Incidents', 'incident', [loadIncidents, 'Incident', loadIncidentForms], {
    icon: 'incident',
    before: [
      page('/incidents/board', 'Board', [() => import('../features/incidents/board-page.tsx'), 'BoardPage'], {
        ...desk,
        icon: 'board',
      }),
    ],
  }),
  page('/report', 'Report a problem', [loadIncidentForms, 'ReportPage'], form),
  ...recordPages('/problems', 'Problems', 'problem', [loadProblems, 'Problem', loadProblems], { icon: 'bug' }),
  ...recordPages('/changes', 'Changes', 'change', [loadChanges, 'Change', loadChanges], {
    icon: 'change',
    before: [
      page('/changes/calendar', 'Change calendar', [loadChanges, 'CalendarPage'], { ...desk, icon: 'calendar' }),
    ],
  }),
  ...recordPages('/requests', 'Service requests', 'request', [loadRequests, 'Request', loadRequests], {
    icon: 'inbox',
  }),
  ...recordPages('/cis', 'Configuration items', 'item', [loadCmdb, 'Ci', loadCmdb], {
    icon: 'server',
    create: 'Add item',
    before: [page('/cis/import', 'Import items', [loadCmdb, 'ImportCisPage'], { ...form, parent: '/cis' })],
  }),
  ...recordPages('/knowledge', 'Knowledge', 'article', [loadKnowledge, 'Article', loadKnowledge], { icon: 'book' }),
  page('/on-call', 'On call', [loadOnCall, 'OnCallPage'], { ...desk, icon: 'phone' }),
  ...formPages('/on-call', '/on-call/schedules', 'schedule', [loadOnCall, 'Schedule']),
  ...formPages('/on-call', '/on-call/policies', 'policy', [loadOnCall, 'Policy']),
  page('/service-levels', 'Service levels', [loadServiceLevels, 'ServiceLevelsPage'], { ...desk, icon: 'clock' }),
  ...formPages('/service-levels', '/service-levels/policies', 'SLA policy', [loadServiceLevels, 'SlaPolicy']),
  ...formPages('/service-levels', '/service-levels/calendars', 'calendar', [loadServiceLevels, 'Calendar']),
  page('/proposals', 'Proposals', [loadProposals, 'ProposalListPage'], { ...desk, ...table, icon: 'lightbulb' }),
  page('/proposals/:id', 'Proposal', [loadProposals, 'ProposalPage'], { getName: getId, parent: '/proposals' }),
  page('/ask', 'Ask', [() => import('../features/assistant/ask-page.tsx'), 'AskPage'], {
    ...desk,
    ...form,
    icon: 'ask',
  }),
  page('/jobs', 'Bulk jobs', [loadJobs, 'JobListPage'], { ...desk, ...table, icon: 'layers' }),
  page('/jobs/:id', 'Bulk job', [loadJobs, 'JobPage'], { getName: getId, parent: '/jobs' }),
  page(
    '/notifications',
    'Notifications',
    [() => import('../features/notifications/notification-list-page.tsx'), 'NotificationListPage'],
    { ...desk, icon: 'bell' },
  ),
  ...recordPages('/webhooks/inbound', 'Inbound webhooks', 'webhook', [loadInbound, 'Inbound', loadInbound], {
    ...integrations,
    icon: 'in',
    minRole: 'itsm_manager',
  }),
  page(
    '/webhooks/inbound/:id/events/:event_id',
    'Received event',
    [() => import('../features/webhooks/inbound-events.tsx'), 'EventPage'],
    {
      parent: '/webhooks/inbound/:id',
    },
  ),
  ...recordPages('/webhooks/outbound', 'Outbound webhooks', 'webhook', [loadOutbound, 'Outbound', loadOutbound], {
    ...integrations,
    icon: 'out',
    minRole: 'itsm_manager',
  }),
  page(
    '/webhooks/outbound/:id/deliveries/:delivery_id',
    'Delivery',
    [() => import('../features/webhooks/delivery-page.tsx'), 'DeliveryPage'],
    {
      parent: '/webhooks/outbound/:id',
    },
  ),
  page('/audit', 'Audit log', [() => import('../features/audit/audit-page.tsx'), 'AuditPage'], {
    icon: 'audit',
    section: 'Administration',
    minRole: 'super_admin',
  }),
  page('/developer', 'Developer', [loadDeveloper, 'DeveloperPage'], { ...integrations, icon: 'code' }),
  page('/developer/api', 'API reference', [loadDeveloper, 'ApiReferencePage'], { ...integrations, icon: 'api' }),
  page('/developer/api/:operation', 'Operation', [loadDeveloper, 'OperationPage'], {
    getName: ({ operation = '' }) => operation,
    parent: '/developer/api',
  }),
  page('/profile', 'Profile', [() => import('../features/profile/profile-page.tsx'), 'ProfilePage'], {
    ...integrations,
    icon: 'user',
  }),
];

export const pages = listed.map((one) => (one.path === '/incidents' ? { ...one, Content: IncidentListPage } : one));

/** The pages that navigation and search offer to the user. */
export function useOfferedPages(): readonly Page[] {
  const { data } = useCaller();
  const isOffered = ({ section, minRole = 'viewer' }: Page) =>
    section !== undefined && (minRole === 'viewer' || hasRole(data?.roles ?? [], minRole));
  return pages.filter(isOffered);
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
  return toFoundPage({ path, title: 'Page not found', Content: ProblemPage }, {});
}

function toFoundPage(page: Page, parameters: PathParameters): FoundPage {
  const name = page.getName?.(parameters) ?? page.title;
  const parent = page.parent === undefined ? [] : findPage(fillPath(page.parent, parameters)).trail;
  return { ...page, parameters, name, trail: [...parent, { name, path: fillPath(page.path, parameters) }] };
}

function fillPath(pattern: string, parameters: PathParameters): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => parameters[name] ?? '');
}
