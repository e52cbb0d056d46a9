// The pages and forms of single records, and all other pages that show texts of records.

export { AskPage } from '../features/assistant/ask-page.tsx';
export { CalendarPage } from '../features/changes/calendar-page.tsx';
export { ChangeListPage } from '../features/changes/change-list-page.tsx';
export { ChangePage, CreateChangePage, EditChangePage } from '../features/changes/change-page.tsx';
export { CreateCiPage, EditCiPage, ImportCisPage } from '../features/cmdb/ci-forms.tsx';
export { CiListPage } from '../features/cmdb/ci-list-page.tsx';
export { CiPage } from '../features/cmdb/ci-page.tsx';
export { BoardPage } from '../features/incidents/board-page.tsx';
export { CreateIncidentPage, EditIncidentPage } from '../features/incidents/incident-forms.tsx';
export { IncidentPage } from '../features/incidents/incident-page.tsx';
export { CreateArticlePage, EditArticlePage } from '../features/knowledge/article-forms.tsx';
export { ArticleListPage } from '../features/knowledge/article-list-page.tsx';
export { ArticlePage } from '../features/knowledge/article-page.tsx';
export { OnCallPage } from '../features/on-call/on-call-page.tsx';
export { CreatePolicyPage, EditPolicyPage } from '../features/on-call/policy-form.tsx';
export { CreateSchedulePage, EditSchedulePage } from '../features/on-call/schedule-form.tsx';
export { ProposalListPage, ProposalPage } from '../features/proposals/proposal-pages.tsx';
export { RequestListPage } from '../features/requests/request-list-page.tsx';
export { CreateRequestPage, EditRequestPage, RequestPage } from '../features/requests/request-page.tsx';
