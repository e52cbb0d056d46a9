import * as z from 'zod';
import { filter, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import {
  callerEmail,
  defaultToNull,
  enumList,
  id,
  idParams,
  lifecycleFields,
  line,
  patchFields,
  text,
  timestamp,
  withReadOnlyFields,
} from './records.ts';
import { articleStates } from './states.ts';

// Knowledge base articles. Agents write drafts and managers publish them; viewers get 404 for drafts.

const articleId = id('article', 'ID of the article.', 'KB4T9X2MQ');

const maxTags = 20;

const fields = {
  title: line(255, 'Title.'),
  body: text(32_000, 'Content in Markdown.'),
  state: z.enum(articleStates).meta({ description: 'Publication state. Viewers cannot see drafts; managers publish.' }),
  category: line(100, 'Category, as for incidents.').nullable(),
  tags: z
    .array(line(50, 'A tag.').refine((tag) => !tag.includes(','), 'must not contain a comma'))
    .max(maxTags)
    .refine((tags) => new Set(tags).size === tags.length, 'must not contain duplicates')
    .meta({ description: 'Tags.', examples: [['vpn', 'mtu']] }),
};

const setByService = {
  id: articleId,
  created_by: callerEmail('Author.'),
  published_at: timestamp('Time of the last publication; null for drafts.').nullable(),
  ...lifecycleFields('article'),
};

const article = z
  .strictObject({ ...setByService, ...fields })
  .meta({ id: 'Article', description: 'Knowledge base article.' });

export type Article = z.infer<typeof article>;

const articleCreation = withReadOnlyFields(
  z
    .strictObject({
      title: fields.title,
      body: fields.body,
      state: fields.state.default('draft'),
      ...defaultToNull({ category: fields.category }),
      tags: fields.tags.default([]),
    })
    .meta({ id: 'ArticleCreation', description: 'New article.' }),
  setByService,
);

export type ArticleCreation = z.output<typeof articleCreation>;

const articlePatch = withReadOnlyFields(
  z
    .strictObject(patchFields(fields))
    .meta({ id: 'ArticleUpdate', description: 'Fields to update. null or an empty text clears the category.' }),
  setByService,
);

export type ArticlePatch = z.output<typeof articlePatch>;

export const articleSorts = ['relevance', 'created_at', 'updated_at'] as const;

const articleListQuery = listQuery({
  things: 'articles',
  filters: {
    state: enumList(articleStates, 'Filter by state, comma-separated. Viewers see no drafts.'),
    category: filter('Filter by category.'),
    created_by: filter('Filter by author.'),
    tags: z
      .string()
      .max(254)
      .transform((given) => given.split(',').map((tag) => tag.trim()))
      .refine((tags) => tags.every((tag) => /[\p{L}\p{N}]/u.test(tag)), 'must be tags separated by commas')
      .optional()
      .meta({ description: 'Return only articles with all of these tags (case-insensitive).', examples: ['vpn,mtu'] }),
  },
  sorts: articleSorts,
  searched: 'title, tags, category, body',
  order: 'Sort order. `sort=relevance&order=desc` lists the best match first.',
  q:
    'Words to search for in title, tags, category, body and ID, ignoring case and accents. Matches articles that contain ' +
    'all words or, if there are none, at least half of them. Rare words rank higher, as do matches in the title, then tags, ' +
    'then body. Codes such as F5-201 match as a whole.',
  sort: 'Sort field; ties are sorted by ID. `relevance` without `q` lists the newest first.',
});

const articleExample: Article = {
  id: 'KB4T9X2MQ',
  title: 'VPN ends after a few minutes with "peer not responding"',
  body: 'Set **Tunnel MTU** to `1380` in the client profile.',
  state: 'published',
  category: 'network',
  tags: ['vpn', 'mtu'],
  created_by: 'manager@example.com',
  published_at: '2026-03-01T09:30:00.000Z',
  deleted: false,
  created_at: '2026-03-01T09:30:00.000Z',
  updated_at: '2026-03-01T09:30:00.000Z',
};

const operations = recordOperations({
  capability: 'knowledge',
  path: '/knowledge/articles',
  thing: 'article',
  things: 'articles',
  params: idParams(articleId),
  record: article,
  example: articleExample,
});

const bodyExample = {
  title: articleExample.title,
  body: articleExample.body,
  category: 'network',
  tags: ['vpn', 'mtu'],
  state: 'published',
};

/** The history contains drafts. */
const forAgents = { access: 'itsm_agent' } as const;

export const knowledgeOperations = defineOperations({
  listArticles: {
    ...operations.list(articleListQuery),
    summary: 'List or search articles',
    description: 'Lists articles that match all filters, best match for `q` first. Deleted articles are not included.',
  },
  createArticle: {
    ...operations.create(articleCreation, {
      description:
        'Creates an article, by default as a draft. `created_by` is set to the caller. Publishing it requires the role `itsm_manager`.',
      bodyExample,
    }),
  },
  getArticle: {
    ...operations.get,
    description:
      'Returns an article. Viewers cannot get drafts. Managers can get deleted articles with `include_deleted`.',
  },
  updateArticle: {
    ...operations.update(articlePatch, {
      description: 'Agents change drafts. Managers also publish and unpublish articles, and change published ones.',
      bodyExample: { state: 'published' },
    }),
    errors: ['precondition_failed'],
  },
  deleteArticle: operations.delete,
  listArticleHistory: { ...operations.history, ...forAgents },
});
