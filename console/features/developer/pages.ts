export { ApiReferencePage } from './api-reference-page.tsx';
export { DeveloperPage } from './developer-page.tsx';
export { OperationPage } from './operation-page.tsx';
