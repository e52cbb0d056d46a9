export { OnCallPage } from './on-call-page.tsx';
export { CreatePolicyPage, EditPolicyPage } from './policy-form.tsx';
export { CreateSchedulePage, EditSchedulePage } from './schedule-form.tsx';
