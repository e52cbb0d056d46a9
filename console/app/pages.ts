import { parse } from 'regexparam';
import { matchRoute } from 'wouter';
import type { Role } from '../../contract/roles.ts';
import type { IconName } from '../ui/kit/index.ts';
import { lazyPage, type PageContent } from '../ui/lazy-page.ts';

// Each page is a file, loaded when it is first opened. This table needs no renderer, so that main.ts finds the page while the
// renderer loads.

const loadIncidentForms = () => import('../features/incidents/incident-forms.tsx');
const loadProblem = () => import('../features/problems/problem-page.tsx');
const loadChange = () => import('../features/changes/change-page.tsx');
const loadRequest = () => import('../features/requests/request-page.tsx');
const loadCiForms = () => import('../features/cmdb/ci-forms.tsx');
const loadInbound = () => import('../features/webhooks/inbound-pages.tsx');
const loadOutbound = () => import('../features/webhooks/outbound-pages.tsx');

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
export interface Page extends PageOptions {
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

type RecordLoaders<Kind extends string> = [
  kind: Kind,
  list: Loader<`${Kind}ListPage`>,
  one: Loader<`${Kind}Page`>,
  forms: Loader<`Create${Kind}Page` | `Edit${Kind}Page`>,
];

interface RecordOptions extends PageOptions {
  /** The title of the page that creates one, if not "Create …". */
  create?: string;
  /** Pages whose paths would otherwise match as ids. */
  before?: readonly Page[];
}

/** The pages that every kind of record has. */
function recordPages<Kind extends string>(
  list: string,
  title: string,
  thing: string,
  [kind, load, loadOne, loadForms]: RecordLoaders<Kind>,
  { create = `Create ${thing}`, before = [], ...options }: RecordOptions,
): readonly Page[] {
  const one = `${list}/:id`;
  const name = thing.charAt(0).toUpperCase() + thing.slice(1);
  return [
    page(list, title, [load, `${kind}ListPage`], { ...desk, ...table, ...options }),
    ...before,
    page(`${list}/new`, create, [loadForms, `Create${kind}Page`], { ...form, parent: list }),
    page(one, name, [loadOne, `${kind}Page`], { getName: getId, parent: list }),
    page(`${one}/edit`, `Edit ${thing}`, [loadForms, `Edit${kind}Page`], {
      ...form,
      getName: () => 'Edit',
      parent: one,
    }),
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

export const pages: readonly Page[] = [
  page('/', 'Overview', [() => import('../features/home/home-page.tsx'), 'HomePage'], {
    icon: 'overview',
    section: '',
  }),
  ...recordPages(
    '/incidents',
    'Incidents',
    'incident',
    [
      'Incident',
      () => import('../features/incidents/incident-list-page.tsx'),
      () => import('../features/incidents/incident-page.tsx'),
      loadIncidentForms,
    ],
    {
      icon: 'incident',
      before: [
        page('/incidents/board', 'Board', [() => import('../features/incidents/board-page.tsx'), 'BoardPage'], {
          ...desk,
          icon: 'board',
        }),
      ],
    },
  ),
  page('/report', 'Report a problem', [loadIncidentForms, 'ReportPage'], form),
  ...recordPages(
    '/problems',
    'Problems',
    'problem',
    ['Problem', () => import('../features/problems/problem-list-page.tsx'), loadProblem, loadProblem],
    { icon: 'bug' },
  ),
  ...recordPages(
    '/changes',
    'Changes',
    'change',
    ['Change', () => import('../features/changes/change-list-page.tsx'), loadChange, loadChange],
    {
      icon: 'change',
      before: [
        page(
          '/changes/calendar',
          'Change calendar',
          [() => import('../features/changes/calendar-page.tsx'), 'CalendarPage'],
          { ...desk, icon: 'calendar' },
        ),
      ],
    },
  ),
  ...recordPages(
    '/requests',
    'Service requests',
    'request',
    ['Request', () => import('../features/requests/request-list-page.tsx'), loadRequest, loadRequest],
    {
      icon: 'inbox',
    },
  ),
  ...recordPages(
    '/cis',
    'Configuration items',
    'item',
    [
      'Ci',
      () => import('../features/cmdb/ci-list-page.tsx'),
      () => import('../features/cmdb/ci-page.tsx'),
      loadCiForms,
    ],
    {
      icon: 'server',
      create: 'Add item',
      before: [page('/cis/import', 'Import items', [loadCiForms, 'ImportCisPage'], { ...form, parent: '/cis' })],
    },
  ),
  ...recordPages(
    '/knowledge',
    'Knowledge',
    'article',
    [
      'Article',
      () => import('../features/knowledge/article-list-page.tsx'),
      () => import('../features/knowledge/article-page.tsx'),
      () => import('../features/knowledge/article-forms.tsx'),
    ],
    { icon: 'book' },
  ),
  page('/on-call', 'On call', [() => import('../features/on-call/on-call-page.tsx'), 'OnCallPage'], {
    ...desk,
    icon: 'phone',
  }),
  ...formPages('/on-call', '/on-call/schedules', 'schedule', [
    () => import('../features/on-call/schedule-form.tsx'),
    'Schedule',
  ]),
  ...formPages('/on-call', '/on-call/policies', 'policy', [
    () => import('../features/on-call/policy-form.tsx'),
    'Policy',
  ]),
  page(
    '/service-levels',
    'Service levels',
    [() => import('../features/service-levels/service-levels-page.tsx'), 'ServiceLevelsPage'],
    { ...desk, icon: 'clock' },
  ),
  ...formPages('/service-levels', '/service-levels/policies', 'SLA policy', [
    () => import('../features/service-levels/sla-policy-form.tsx'),
    'SlaPolicy',
  ]),
  ...formPages('/service-levels', '/service-levels/calendars', 'calendar', [
    () => import('../features/service-levels/calendar-form.tsx'),
    'Calendar',
  ]),
  page('/proposals', 'Proposals', [() => import('../features/proposals/proposal-list-page.tsx'), 'ProposalListPage'], {
    ...desk,
    ...table,
    icon: 'lightbulb',
  }),
  page('/proposals/:id', 'Proposal', [() => import('../features/proposals/proposal-page.tsx'), 'ProposalPage'], {
    getName: getId,
    parent: '/proposals',
  }),
  page('/ask', 'Ask', [() => import('../features/assistant/ask-page.tsx'), 'AskPage'], {
    ...desk,
    ...form,
    icon: 'ask',
  }),
  page('/jobs', 'Bulk jobs', [() => import('../features/jobs/job-list-page.tsx'), 'JobListPage'], {
    ...desk,
    ...table,
    icon: 'layers',
  }),
  page('/jobs/:id', 'Bulk job', [() => import('../features/jobs/job-page.tsx'), 'JobPage'], {
    getName: getId,
    parent: '/jobs',
  }),
  page(
    '/notifications',
    'Notifications',
    [() => import('../features/notifications/notification-list-page.tsx'), 'NotificationListPage'],
    { ...desk, icon: 'bell' },
  ),
  ...recordPages(
    '/webhooks/inbound',
    'Inbound webhooks',
    'webhook',
    ['Inbound', loadInbound, loadInbound, loadInbound],
    {
      ...integrations,
      icon: 'in',
      minRole: 'itsm_manager',
    },
  ),
  page(
    '/webhooks/inbound/:id/events/:event_id',
    'Received event',
    [() => import('../features/webhooks/inbound-events.tsx'), 'EventPage'],
    {
      parent: '/webhooks/inbound/:id',
    },
  ),
  ...recordPages(
    '/webhooks/outbound',
    'Outbound webhooks',
    'webhook',
    ['Outbound', loadOutbound, loadOutbound, loadOutbound],
    {
      ...integrations,
      icon: 'out',
      minRole: 'itsm_manager',
    },
  ),
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
  page('/developer', 'Developer', [() => import('../features/developer/developer-page.tsx'), 'DeveloperPage'], {
    ...integrations,
    icon: 'code',
  }),
  page(
    '/developer/api',
    'API reference',
    [() => import('../features/developer/api-reference-page.tsx'), 'ApiReferencePage'],
    { ...integrations, icon: 'api' },
  ),
  page(
    '/developer/api/:operation',
    'Operation',
    [() => import('../features/developer/operation-page.tsx'), 'OperationPage'],
    {
      getName: ({ operation = '' }) => operation,
      parent: '/developer/api',
    },
  ),
  page('/profile', 'Profile', [() => import('../features/profile/profile-page.tsx'), 'ProfilePage'], {
    ...integrations,
    icon: 'user',
  }),
];

const NotFound = lazyPage(() => import('../ui/problem-page.tsx'), 'ProblemPage');

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
