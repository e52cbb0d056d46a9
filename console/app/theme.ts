import { applyMode, Mode } from '@cloudscape-design/global-styles';
import { createStore } from '../base/store.ts';

/** theme-boot.ts has applied the stored choice. */
export const theme = createStore(document.body.classList.contains('awsui-dark-mode') ? Mode.Dark : Mode.Light);

export function toggleTheme(): void {
  theme.set(theme.get() === Mode.Dark ? Mode.Light : Mode.Dark);
  applyMode(theme.get());
  localStorage.setItem('console.theme', theme.get());
}
