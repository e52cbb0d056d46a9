import type { Page } from '../page.ts';
import { AskPage } from './ask-page.tsx';

export const assistantPages: readonly Page[] = [
  { path: '/ask', title: 'Ask', section: 'Service desk', contentType: 'form', Content: AskPage },
];
