export { CreateArticlePage, EditArticlePage } from './article-forms.tsx';
export { ArticleListPage } from './article-list-page.tsx';
export { ArticlePage } from './article-page.tsx';
