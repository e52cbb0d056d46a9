export { CreateCalendarPage, EditCalendarPage } from './calendar-form.tsx';
export { ServiceLevelsPage } from './service-levels-page.tsx';
export { CreateSlaPolicyPage, EditSlaPolicyPage } from './sla-policy-form.tsx';
