import type { Service } from '../support/service.ts';

/** What every bench gets: the running service, and the bare server to hold it against. */
export interface Bench {
  service: Service;
  bareUrl: string;
}
