// ReportBatchItemFailures: a function may say which items of its batch failed. Lambda trusts the answer only when it is
// well-formed; anything else counts as the failure of the whole batch, so that no item is lost to a typo.

/** The items to be tried again: none, some by their identifiers, or all. */
export type FailedItems = 'all' | ReadonlySet<string>;

export function failedItems(response: unknown, batch: ReadonlySet<string>): FailedItems {
  if (response === null || response === undefined) return new Set();
  if (typeof response !== 'object' || Array.isArray(response)) return 'all';
  const failures = (response as { batchItemFailures?: unknown }).batchItemFailures;
  if (failures === null || failures === undefined) return new Set();
  if (!Array.isArray(failures)) return 'all';
  const identifiers = failures.map((failure) => (failure as { itemIdentifier?: unknown } | null)?.itemIdentifier);
  const wellFormed = (identifier: unknown): identifier is string =>
    typeof identifier === 'string' && batch.has(identifier);
  return identifiers.every(wellFormed) ? new Set(identifiers) : 'all';
}
