import type { ReactNode } from 'react';
import { createStore } from '../base/store.ts';

// The panel beside the content, such as the preview of a record. The page that opens it also closes it.

export interface SidePanel {
  header: string;
  content: ReactNode;
  onClose(): void;
}

export const sidePanel = createStore<SidePanel | undefined>(undefined);
