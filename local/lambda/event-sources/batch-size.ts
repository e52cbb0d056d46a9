/** An event may hold 6 MB; some room is left for the envelope around its records. */
const largestBatchBytes = 6 * 1024 * 1024 - 16 * 1024;

/** How many of the items, from the first, make a batch of at most `most` items that fits into one event. */
export function fittingCount<Item>(
  items: readonly Item[],
  most: number,
  textOf: (item: Item) => string = JSON.stringify,
): number {
  let bytes = 0;
  let count = 0;
  while (count < items.length && count < most) {
    bytes += Buffer.byteLength(textOf(items[count]!)) + 1;
    // A single item always goes, even when Lambda will refuse it: it must not block those behind it for ever.
    if (bytes > largestBatchBytes && count > 0) break;
    count++;
  }
  return count;
}
