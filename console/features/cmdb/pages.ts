export { CreateCiPage, EditCiPage, ImportCisPage } from './ci-forms.tsx';
export { CiListPage } from './ci-list-page.tsx';
export { CiPage } from './ci-page.tsx';
