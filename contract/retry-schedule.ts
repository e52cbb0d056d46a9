// The retry schedule of webhook deliveries. The number of attempts and every text about retries derive from the delays.
// Free of zod, so that the browser can import it.

/** Seconds between a failed attempt and the next one. */
export const retryDelaysSeconds: readonly number[] = [30, 2 * 60, 10 * 60, 30 * 60];

export const maxAttempts = retryDelaysSeconds.length + 1;

/** The delays in words, for example `30 s, 2 min, 10 min and 30 min`. */
export const retryDelaysText = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(
  retryDelaysSeconds.map((seconds) => (seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`)),
);
