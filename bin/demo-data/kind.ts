import type { Priority } from '../../contract/priority.ts';
import type { Group } from './people.ts';

/** A sort of incident that happens again and again. `{site}` and `{n}` in its texts differ from case to case. */
export interface Kind {
  category: string;
  subcategory: string;
  group: Group;
  /** How often it happens, compared with the others. */
  weight: number;
  priorities: readonly (readonly [Priority, number])[];
  titles: readonly string[];
  description: string;
  /** Names of configuration items that it happens to. */
  cis: readonly string[];
  findings: readonly string[];
  /** Why such an incident is put on hold. */
  waiting: string;
  resolutions: readonly string[];
}
