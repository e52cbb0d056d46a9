import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { etag, ifMatchHeaders, line, timeZone } from './records.ts';

// Personal preferences, stored per email address, so that they follow a person to every browser, and the views that a
// manager shares with everyone.

export const viewLists = ['incidents', 'changes', 'requests', 'cis', 'articles'] as const;

export const maxViews = 50;

const savedView = z
  .strictObject({
    list: z.enum(viewLists).meta({ description: 'The list that the view belongs to.' }),
    name: line(60, 'Name of the view.'),
    query: z
      .string()
      .max(2_000)
      .regex(/^[\x21-\x7e]*$/, 'must be a URL query')
      .meta({ description: 'Filters, sort and order as a URL query.', examples: ['state=new&sort=sla_breach_at'] }),
    pinned: z.boolean().default(false).meta({ description: 'Whether the view is pinned.' }),
  })
  .meta({ id: 'SavedView', description: 'Saved view of a list.' });

export type SavedView = z.output<typeof savedView>;

const views = z
  .array(savedView)
  .max(maxViews)
  .refine(
    (given) => new Set(given.map(({ list, name }) => `${list} ${name}`)).size === given.length,
    'must not contain two views of a list with the same name',
  )
  .meta({ description: 'Saved views of lists.' });

/** Topics of notifications, with their events. A topic that is switched off hides its notifications from the person. */
export const notificationTopics = {
  assignments: 'Incidents assigned to the person.',
  decisions: 'Decisions on changes, requests and proposals of the person.',
  notes: 'Work notes on incidents that the person works on or opened.',
  mentions: 'Work notes that mention the person.',
  approvals: 'Changes, requests and proposals that need approval.',
  sla: 'SLA warnings and breaches.',
  incidents: 'New incidents for the groups that the person follows.',
  webhooks: 'Failed deliveries and deactivated webhooks.',
} as const;

export type NotificationTopic = keyof typeof notificationTopics;

const topicFlags = Object.fromEntries(
  Object.entries(notificationTopics).map(([topic, description]) => [topic, z.boolean().meta({ description })]),
) as Record<NotificationTopic, z.ZodBoolean>;

const notifications = z
  .strictObject({
    ...topicFlags,
    browser: z.boolean().meta({ description: 'Whether the console may show browser notifications.' }),
  })
  .meta({ id: 'NotificationPreferences', description: 'Notifications that the person receives.' });

const time_zone = timeZone('Time zone of times in the console; null for the time zone of the browser.').nullable();

const preferences = z
  .strictObject({ views, notifications, time_zone })
  .meta({ id: 'Preferences', description: 'Preferences of the caller.' });

export type Preferences = z.output<typeof preferences>;

const preferencesPatch = z
  .strictObject({
    views: views.optional(),
    notifications: z.strictObject(notifications.partial().shape).optional(),
    time_zone: time_zone.optional(),
  })
  .meta({ id: 'PreferencesPatch', description: 'Preferences to change. `views` replaces all views.' });

export type PreferencesPatch = z.output<typeof preferencesPatch>;

export const defaultPreferences: Preferences = {
  views: [],
  notifications: {
    assignments: true,
    decisions: true,
    notes: true,
    mentions: true,
    approvals: true,
    sla: true,
    incidents: true,
    webhooks: true,
    browser: false,
  },
  time_zone: null,
};

const example: Preferences = {
  ...defaultPreferences,
  views: [{ list: 'incidents', name: 'Due next', query: 'sort=sla_breach_at&order=asc', pinned: true }],
};

const sharedViews = z
  .strictObject({ views })
  .meta({ id: 'SharedViews', description: 'Views of lists that everyone sees. A manager shares them.' });

const sharedExample = { views: [{ list: 'incidents', name: 'Network P1', query: 'priority=P1', pinned: true }] };

const base = { capability: 'identity', access: 'viewer', rateLimit: 'general', path: '/me/preferences' } as const;

export const preferenceOperations = defineOperations({
  getPreferences: {
    ...base,
    method: 'GET',
    summary: 'Get preferences',
    description: "Returns the caller's saved views, notification preferences and time zone.",
    responses: { 200: { description: 'The preferences.', body: preferences, headers: { ETag: etag }, example } },
  },
  updatePreferences: {
    ...base,
    method: 'PATCH',
    summary: 'Update preferences',
    description:
      'Applies a JSON merge patch to the preferences of the caller. Send `If-Match` to detect changes in another browser.',
    headers: ifMatchHeaders,
    body: preferencesPatch,
    bodyExample: { notifications: { notes: false } },
    responses: {
      200: { description: 'The updated preferences.', body: preferences, headers: { ETag: etag }, example },
    },
    errors: ['precondition_failed'],
  },
  getSharedViews: {
    ...base,
    path: '/views',
    method: 'GET',
    summary: 'Get shared views',
    description: 'Returns the views of lists that managers share with everyone.',
    responses: {
      200: { description: 'The shared views.', body: sharedViews, headers: { ETag: etag }, example: sharedExample },
    },
  },
  updateSharedViews: {
    ...base,
    path: '/views',
    method: 'PATCH',
    summary: 'Update shared views',
    description: 'Replaces the shared views. Send `If-Match` to detect changes by somebody else.',
    access: 'itsm_manager',
    headers: ifMatchHeaders,
    body: sharedViews,
    bodyExample: sharedExample,
    responses: {
      200: { description: 'The shared views.', body: sharedViews, headers: { ETag: etag }, example: sharedExample },
    },
    errors: ['precondition_failed'],
  },
});
