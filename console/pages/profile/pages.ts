import type { Page } from '../page.ts';
import { ProfilePage } from './profile-page.tsx';

export const profilePath = '/profile';

export const profilePages: readonly Page[] = [
  { path: profilePath, title: 'Profile', section: 'Integrations', Content: ProfilePage },
];
