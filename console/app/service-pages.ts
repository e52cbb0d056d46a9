// Pages about the service itself: webhooks, jobs, the developer page, and the person who is signed in.
export { ApiReferencePage } from '../features/developer/api-reference-page.tsx';
export { DeveloperPage } from '../features/developer/developer-page.tsx';
export { OperationPage } from '../features/developer/operation-page.tsx';
export { JobListPage } from '../features/jobs/job-list-page.tsx';
export { JobPage } from '../features/jobs/job-page.tsx';
export { NotificationListPage } from '../features/notifications/notification-list-page.tsx';
export { ProfilePage } from '../features/profile/profile-page.tsx';
export { DeliveryPage } from '../features/webhooks/delivery-page.tsx';
export { EventPage } from '../features/webhooks/inbound-events.tsx';
export {
  CreateInboundPage,
  EditInboundPage,
  InboundListPage,
  InboundPage,
} from '../features/webhooks/inbound-pages.tsx';
export {
  CreateOutboundPage,
  EditOutboundPage,
  OutboundListPage,
  OutboundPage,
} from '../features/webhooks/outbound-pages.tsx';
