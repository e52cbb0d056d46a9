import { actionNames, type InboundWebhook, inboundList, inboundPath } from '../../resources/webhook-words.ts';
import { emptyDraft, findProblems, isShown, toDraft, toPatch, toSettings } from './inbound-draft.ts';
import { EventsPanel } from './inbound-events.tsx';
import { InboundFields } from './inbound-fields.tsx';
import { LabPanel } from './inbound-lab.tsx';
import { InboundFacts } from './inbound-panels.tsx';
import { RejectionsPanel } from './inbound-rejections.tsx';
import { createWebhookPages } from './webhook-kind.tsx';

export const {
  ListPage: InboundListPage,
  OnePage: InboundPage,
  CreatePage: CreateInboundPage,
  EditPage: EditInboundPage,
} = createWebhookPages<InboundWebhook, typeof emptyDraft>({
  direction: 'inbound',
  listPath: inboundList,
  forms: { Fields: InboundFields, findProblems, isShown, toPagePath: inboundPath },
  emptyDraft,
  toDraft,
  toRequests: (client) => ({
    list: client.listInboundWebhooks,
    get: (id, options) => client.getInboundWebhook.withResponse({ id }, options),
    create: (draft, options) => client.createInboundWebhook(toSettings(draft), options),
    update: (draft, webhook, options) =>
      client.updateInboundWebhook({ id: webhook.id }, toPatch(draft, webhook), options),
    setActive: (id, active) => client.updateInboundWebhook({ id }, { active }),
    rotateSecret: (id) => client.rotateInboundSecret({ id }),
    remove: (id, options) => client.deleteInboundWebhook({ id }, options),
  }),
  columns: [{ id: 'action', header: 'Action', cell: ({ action }) => actionNames[action] }],
  isSigned: ({ secret_enabled }) => secret_enabled,
  describe: ({ description }) => description,
  toTabs: (webhook) => [
    { id: 'settings', label: 'Settings', content: <InboundFacts webhook={webhook} /> },
    { id: 'lab', label: 'Test', content: <LabPanel webhook={webhook} /> },
    { id: 'events', label: 'Received events', content: <EventsPanel webhook={webhook} /> },
    { id: 'rejections', label: 'Rejected calls', content: <RejectionsPanel webhook={webhook} /> },
  ],
  texts: {
    list: 'Let other systems create and update incidents by sending events.',
    invitation: 'Create a webhook so that your monitoring can open incidents.',
    create: 'The endpoint URL and signing secret are shown after you create the webhook.',
    secret: 'The sender uses this secret to sign events.',
    deletion: 'The endpoint stops working and the sender will receive errors. Existing incidents are not affected.',
  },
});
