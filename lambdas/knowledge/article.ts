import type { Article, ArticleCreation, ArticlePatch } from '../../contract/knowledge.ts';
import { hasRole } from '../../contract/roles.ts';
import { encodeListing } from '../lists/listing.ts';
import type { Caller } from '../platform/caller.ts';
import { newId } from '../platform/ids.ts';
import { changesBetween, patched } from '../records/changes.ts';
import type { Draft } from '../records/create-record.ts';
import { type Author, firstVersion, type StoredRecord } from '../records/record.ts';
import { insertion } from '../records/record-item.ts';
import type { Resource } from '../records/resource.ts';
import { articleListing } from './article-listing.ts';

export type ArticleDocument = Omit<Article, 'id' | 'deleted' | 'created_at' | 'updated_at'>;

export type ArticleRecord = StoredRecord<ArticleDocument>;

export function showArticle({ id, created_at, updated_at, deleted, document }: ArticleRecord): Article {
  return { id, ...document, deleted, created_at, updated_at };
}

/** Drafts are for those who write. */
export function mayReadDrafts({ roles }: Pick<Caller, 'roles'>): boolean {
  return hasRole(roles, 'itsm_manager');
}

export function mayReadArticle({ document }: ArticleRecord, caller: Pick<Caller, 'roles'>): boolean {
  return document.state === 'published' || mayReadDrafts(caller);
}

export function draftArticle(creation: ArticleCreation, author: Author, nowMs: number): Draft<ArticleDocument> {
  const document: ArticleDocument = {
    title: creation.title,
    body: creation.body,
    state: creation.state,
    category: creation.category ?? null,
    tags: creation.tags,
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

/** What the records mechanism has to know of articles. */
export const articleType: Resource<ArticleDocument, Article> = {
  name: articleListing.type,
  collection: 'knowledge/articles',
  show: showArticle,
  listing: (record) => encodeListing(articleListing, { ...record.document, ...record }),
  indexKeys: () => ({}),
  changes: changesBetween,
};
