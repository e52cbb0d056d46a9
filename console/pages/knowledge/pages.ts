import type { Page } from '../page.ts';
import { ArticleListPage } from './article-list-page.tsx';
import { ArticlePage } from './article-page.tsx';
import { articleList } from './article-words.ts';
import { CreateArticlePage } from './create-article-page.tsx';
import { EditArticlePage } from './edit-article-page.tsx';

const one = `${articleList}/{id}`;

export const knowledgePages: readonly Page[] = [
  { path: articleList, title: 'Knowledge', section: 'Service desk', Content: ArticleListPage },
  {
    path: `${articleList}/new`,
    title: 'Write article',
    parent: articleList,
    contentType: 'form',
    Content: CreateArticlePage,
  },
  { path: one, title: 'Article', nameOf: ({ id }) => id!, parent: articleList, Content: ArticlePage },
  {
    path: `${one}/edit`,
    title: 'Edit article',
    nameOf: () => 'Edit',
    parent: one,
    contentType: 'form',
    Content: EditArticlePage,
  },
];
