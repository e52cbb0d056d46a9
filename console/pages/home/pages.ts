import type { Page } from '../page.ts';
import { HomePage } from './home-page.tsx';

export const homePages: readonly Page[] = [{ path: '/', title: 'Overview', section: '', Content: HomePage }];
