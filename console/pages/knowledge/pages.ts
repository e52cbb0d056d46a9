import { recordPages } from '../page.ts';
import { ArticleListPage } from './article-list-page.tsx';
import { ArticlePage } from './article-page.tsx';
import { articleList } from './article-words.ts';
import { CreateArticlePage } from './create-article-page.tsx';
import { EditArticlePage } from './edit-article-page.tsx';

export const knowledgePages = recordPages({
  list: articleList,
  title: 'Knowledge',
  thing: 'article',
  create: 'Create article',
  contents: { List: ArticleListPage, Create: CreateArticlePage, One: ArticlePage, Edit: EditArticlePage },
});
