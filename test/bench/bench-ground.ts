import type { Service } from '../support/service.ts';

/** The running service and the bare server to compare it with. */
export interface Bench {
  service: Service;
  bareUrl: string;
}
