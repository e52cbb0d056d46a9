import * as z from 'zod';
import { filter, listQuery } from './list-query.ts';
import { defineOperations } from './operation.ts';
import { recordOperations } from './record-operations.ts';
import { idParams, line, listOf, shownEmail, text, timestamp, withReadOnlyFields } from './records.ts';

// Articles of the knowledge base. A draft exists for those who write: managers. For everybody else it is not there.

export const articleStates = ['draft', 'published'] as const;

const articleId = z
  .string()
  .regex(/^KB[0-9A-HJKMNP-TV-Z]{7}$/)
  .meta({ description: 'The id of the article.', examples: ['KB4T9X2MQ'] });

const mostTags = 20;

const fields = {
  title: line(255, 'What it helps with, in one line.'),
  body: text(32_000, 'The article; Markdown, kept as it is.'),
  state: z.enum(articleStates).meta({ description: 'Drafts are for managers only.' }),
  category: line(100, 'The category, as of incidents.').nullable(),
  tags: z
    .array(line(50, 'A tag.').refine((tag) => !tag.includes(','), 'must not have a comma'))
    .max(mostTags)
    .refine((tags) => new Set(tags).size === tags.length, 'must not have the same tag twice')
    .meta({ description: 'What else it is about.', examples: [['vpn', 'mtu']] }),
};

const setByService = {
  id: articleId,
  created_by: shownEmail('Who created it.'),
  published_at: timestamp('When it was last published; null while it is a draft.').nullable(),
  deleted: z.boolean().meta({ description: 'True for a deleted article, which is shown on request only.' }),
  created_at: timestamp('When it was created.'),
  updated_at: timestamp('When a field of it last changed.'),
};

const article = z
  .strictObject({ ...setByService, ...fields })
  .meta({ id: 'Article', description: 'What is known about a kind of trouble, and what helps.' });

export type Article = z.infer<typeof article>;

const articleCreation = withReadOnlyFields(
  z
    .strictObject({
      title: fields.title,
      body: fields.body,
      state: fields.state.default('draft'),
      category: fields.category.optional(),
      tags: fields.tags.default([]),
    })
    .meta({ id: 'ArticleCreation', description: 'A new article.' }),
  setByService,
);

export type ArticleCreation = z.output<typeof articleCreation>;

const articlePatch = withReadOnlyFields(
  z
    .strictObject(z.object(fields).partial().shape)
    .meta({ id: 'ArticleUpdate', description: 'The fields to change; null clears the category.' }),
  setByService,
);

export type ArticlePatch = z.output<typeof articlePatch>;

export const articleSorts = ['relevance', 'created_at', 'updated_at'] as const;

const articleListQuery = listQuery({
  things: 'articles',
  filters: {
    state: listOf(articleStates, 'Only these states. Whoever may not see drafts finds none.'),
    category: filter('Only articles of this category.'),
    tags: z
      .string()
      .max(254)
      .transform((given) => given.split(',').map((tag) => tag.trim()))
      .refine((tags) => tags.every((tag) => /[\p{L}\p{N}]/u.test(tag)), 'must be tags separated by commas')
      .optional()
      .meta({ description: 'Only articles with all of these tags, in any case.', examples: ['vpn,mtu'] }),
  },
  sorts: articleSorts,
  searched: 'title, tags, category, body',
  order: 'With `sort=relevance`, `desc` is the best first.',
  q:
    'The words to look for in title, tags, category, body and id, in any case and with or without accents. Articles ' +
    'that have all of them; if there is none, those with at least half of them. Best first: rare words count for ' +
    'more, words in the title for most, then tags, then the body, and codes such as F5-201 as a whole.',
  sort: 'What to sort by; ties go by id. `relevance` without `q` is the newest first.',
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

/** Writing is for managers. So is history, because it tells what was in drafts. */
const forManagers = { access: 'itsm_manager' } as const;

export const knowledgeOperations = defineOperations({
  listArticles: {
    ...operations.list(articleListQuery),
    summary: 'List or search articles',
    description: 'Any combination of filters, the best answers to `q` first. Deleted articles are not listed.',
  },
  createArticle: {
    ...operations.create(articleCreation, {
      description: 'The caller becomes `created_by`. It is a draft unless `state` says otherwise.',
      bodyExample,
    }),
    ...forManagers,
  },
  getArticle: {
    ...operations.get,
    description: 'A draft is found by managers only; a deleted article when a manager asks for it.',
  },
  updateArticle: {
    ...operations.update(articlePatch, {
      description: 'Articles may be published and taken back at any time.',
      bodyExample: { state: 'published' },
    }),
    ...forManagers,
    errors: ['precondition_failed'],
  },
  deleteArticle: operations.delete,
  listArticleHistory: { ...operations.history, ...forManagers },
});
