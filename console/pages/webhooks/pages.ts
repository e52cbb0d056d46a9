import type { Page } from '../page.ts';
import { EventPage } from './inbound/event-page.tsx';
import { CreateInboundPage, EditInboundPage } from './inbound/inbound-form-pages.tsx';
import { InboundListPage } from './inbound/inbound-list-page.tsx';
import { InboundPage } from './inbound/inbound-page.tsx';
import { DeliveryPage } from './outbound/delivery-page.tsx';
import { CreateOutboundPage, EditOutboundPage } from './outbound/outbound-form-pages.tsx';
import { OutboundListPage } from './outbound/outbound-list-page.tsx';
import { OutboundPage } from './outbound/outbound-page.tsx';
import { inboundList, outboundList } from './webhook-words.ts';

const inbound = `${inboundList}/{id}`;
const outbound = `${outboundList}/{id}`;
const section = 'Integrations';
const edit = { title: 'Edit webhook', nameOf: () => 'Edit', contentType: 'form' } as const;
const create = { title: 'Create webhook', contentType: 'form' } as const;

export const webhookPages: readonly Page[] = [
  { path: inboundList, title: 'Inbound webhooks', section, contentType: 'table', Content: InboundListPage },
  { ...create, path: `${inboundList}/new`, parent: inboundList, Content: CreateInboundPage },
  { path: inbound, title: 'Inbound webhook', nameOf: ({ id }) => id!, parent: inboundList, Content: InboundPage },
  { ...edit, path: `${inbound}/edit`, parent: inbound, Content: EditInboundPage },
  { path: `${inbound}/events/{event_id}`, title: 'Received event', parent: inbound, Content: EventPage },
  { path: outboundList, title: 'Outbound webhooks', section, contentType: 'table', Content: OutboundListPage },
  { ...create, path: `${outboundList}/new`, parent: outboundList, Content: CreateOutboundPage },
  { path: outbound, title: 'Outbound webhook', nameOf: ({ id }) => id!, parent: outboundList, Content: OutboundPage },
  { ...edit, path: `${outbound}/edit`, parent: outbound, Content: EditOutboundPage },
  { path: `${outbound}/deliveries/{delivery_id}`, title: 'Delivery', parent: outbound, Content: DeliveryPage },
];
