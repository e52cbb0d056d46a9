import { idFormats } from '../../contract/ids.ts';
import type { Article, ArticleCreation, ArticlePatch } from '../../contract/knowledge.ts';
import { hasRole } from '../../contract/roles.ts';
import type { routes } from '../../contract/routes.ts';
import { articleStates } from '../../contract/states.ts';
import { createDocumentType } from '../lists/document-type.ts';
import { relevance } from '../lists/list-engine.ts';
import { type ListSource, listResource } from '../lists/list-records.ts';
import type { ListingSpec } from '../lists/listing.ts';
import type { Caller } from '../platform/caller.ts';
import { toIso } from '../platform/clock.ts';
import type { UseCase } from '../platform/http/response.ts';
import { ServiceError } from '../platform/service-error.ts';
import { applyPatch } from '../records/change-record.ts';
import type { Author, StoredRecord } from '../records/record.ts';
import { draftRecord, type NewRecord } from '../records/record-operations.ts';

export const articleListing: ListingSpec = {
  type: 'article',
  idPrefix: idFormats.article.prefix,
  times: [],
  enums: { state: ['draft', 'published'] },
  strings: ['category', 'created_by'],
  added: [{ strings: 1 }],
  sets: ['tags'],
  words: ['title', 'tags', 'category', 'body'],
  relevance: [
    { fields: ['title'], weight: 8 },
    { fields: ['tags', 'category'], weight: 3 },
  ],
  // The longest article has about 5,000 words, 2,000 of them distinct.
  maxWords: 3_000,
};

export type ArticleDocument = Omit<Article, 'id' | 'deleted' | 'created_at' | 'updated_at'>;

export type ArticleRecord = StoredRecord<ArticleDocument>;

export function toArticleResponse({ id, created_at, updated_at, deleted, document }: ArticleRecord): Article {
  return { id, ...document, deleted, created_at, updated_at };
}

/** Agents write drafts, so agents read them. */
export function canReadDrafts({ roles }: Pick<Caller, 'roles'>): boolean {
  return hasRole(roles, 'itsm_agent');
}

/** Managers publish, and decide on everything that is published. */
export function assertMayWrite(states: readonly Article['state'][], { roles }: Pick<Caller, 'roles'>): void {
  if (!states.includes('published') || hasRole(roles, 'itsm_manager')) return;
  throw new ServiceError(
    'forbidden',
    'Publishing an article or changing a published one requires the role itsm_manager.',
  );
}

export function canReadArticle({ document }: ArticleRecord, caller: Pick<Caller, 'roles'>): boolean {
  return document.state === 'published' || canReadDrafts(caller);
}

export function newArticle(creation: ArticleCreation, author: Author, nowMs: number): NewRecord<ArticleDocument> {
  const document: ArticleDocument = {
    ...creation,
    created_by: author.actor,
    published_at: creation.state === 'published' ? toIso(nowMs) : null,
  };
  return draftRecord(articleType, 'article', document, author, nowMs);
}

export function applyArticlePatch(before: ArticleDocument, patch: ArticlePatch, nowMs: number): ArticleDocument {
  const after = applyPatch(before, patch as Partial<ArticleDocument>);
  if (after.state === before.state) return after;
  return { ...after, published_at: after.state === 'published' ? toIso(nowMs) : null };
}

export const articleType = createDocumentType<ArticleDocument, Article>(articleListing, 'knowledge/articles', {
  toResponse: toArticleResponse,
});

/** Lists only published articles for callers who must not read drafts. */
export function listArticles(source: ListSource): UseCase<typeof routes.listArticles> {
  const list = listResource(source, articleListing, { toResponse: toArticleResponse });
  return ({ query }, { caller, clock }) => {
    const states = query.state ?? articleStates;
    const state = canReadDrafts(caller) ? states : states.filter((each) => each === 'published');
    const sort = query.sort === relevance && query.q === undefined ? 'created_at' : query.sort;
    return list({ query: { ...query, state, sort } }, { clock });
  };
}
