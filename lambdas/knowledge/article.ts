import { idFormats } from '../../contract/ids.ts';
import { type Article, type ArticleCreation, type ArticlePatch, articleStates } from '../../contract/knowledge.ts';
import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { type ListSource, listResource } from '../lists/list-records.ts';
import { encodeListing, type ListingSpec } from '../lists/listing.ts';
import { relevance } from '../lists/scan.ts';
import type { Caller } from '../platform/caller.ts';
import type { UseCase } from '../platform/http/answer.ts';
import { newId } from '../platform/ids.ts';
import { changesBetween, patched } from '../records/change-record.ts';
import { type Author, firstVersion, type Resource, type StoredRecord } from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import type { Draft } from '../records/record-operations.ts';

export const articleListing: ListingSpec = {
  type: 'article',
  idPrefix: idFormats.article.prefix,
  times: [],
  enums: { state: ['draft', 'published'] },
  strings: ['category'],
  sets: ['tags'],
  words: ['title', 'tags', 'category', 'body'],
  relevance: [
    { fields: ['title'], weight: 8 },
    { fields: ['tags', 'category'], weight: 3 },
  ],
  // The longest article has about 5,000 words, 2,000 of them distinct.
  mostWords: 3_000,
};

export type ArticleDocument = Omit<Article, 'id' | 'deleted' | 'created_at' | 'updated_at'>;

export type ArticleRecord = StoredRecord<ArticleDocument>;

export function showArticle({ id, created_at, updated_at, deleted, document }: ArticleRecord): Article {
  return { id, ...document, deleted, created_at, updated_at };
}

/** Only managers write articles, so only they read drafts. */
export function mayReadDrafts({ roles }: Pick<Caller, 'roles'>): boolean {
  return hasRole(roles, 'itsm_manager');
}

export function mayReadArticle({ document }: ArticleRecord, caller: Pick<Caller, 'roles'>): boolean {
  return document.state === 'published' || mayReadDrafts(caller);
}

export function draftArticle(creation: ArticleCreation, author: Author, nowMs: number): Draft<ArticleDocument> {
  const document: ArticleDocument = {
    ...creation,
    created_by: author.actor,
    published_at: creation.state === 'published' ? new Date(nowMs).toISOString() : null,
  };
  const record = firstVersion(newId('article'), document, nowMs);
  return { record, writes: insertion(articleType, record, author) };
}

export function changedArticle(before: ArticleDocument, patch: ArticlePatch, nowMs: number): ArticleDocument {
  const after = patched(before, patch as Partial<ArticleDocument>);
  if (after.state === before.state) return after;
  return { ...after, published_at: after.state === 'published' ? new Date(nowMs).toISOString() : null };
}

export const articleType: Resource<ArticleDocument, Article> = {
  name: articleListing.type,
  collection: 'knowledge/articles',
  show: showArticle,
  listing: (record) => encodeListing(articleListing, { ...record.document, ...record }),
  indexKeys: () => ({}),
  changes: changesBetween,
};

/** Lists only published articles for callers who must not read drafts. */
export function listArticles(source: ListSource): UseCase<typeof routes.listArticles> {
  const list = listResource(source, articleListing, { show: showArticle });
  return ({ query }, { caller }) => {
    const states = query.state ?? articleStates;
    const state = mayReadDrafts(caller) ? states : states.filter((each) => each === 'published');
    const sort = query.sort === relevance && query.q === undefined ? 'created_at' : query.sort;
    return list({ query: { ...query, state, sort } });
  };
}
