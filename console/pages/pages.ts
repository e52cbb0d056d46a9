import { homePages } from './home/pages.ts';
import type { Page } from './page.ts';

export const pages: readonly Page[] = [...homePages];
