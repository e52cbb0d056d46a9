// The format of stored documents. During a gradual deployment two releases read the same items, so a release must read the
// previous format and, for a while, be read by the previous release: add fields first, remove them one release later.

/** Stored with every record. Raise it together with a new entry in `upgrades`. */
export const schemaVersion = 1;

type Upgrade = (document: unknown) => unknown;

/** The upgrade at index n turns a document of version n into one of version n + 1. Items without a version have 0. */
const upgrades: readonly Upgrade[] = [
  // Version 1 only added the number.
  (document) => document,
];

/** A newer document is read as it is: its release added fields only. */
export function upgradeDocument(document: unknown, storedVersion: number): unknown {
  return upgrades.slice(storedVersion, schemaVersion).reduce((current, upgrade) => upgrade(current), document);
}
