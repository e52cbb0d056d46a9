/** One item per page and person, by the day of the first message. */
export function toLoadPartition(date: string): string {
  return `paged#${date}`;
}
