import type { ReactNode } from 'react';
import { useCaller } from '../../../caller.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { useMay } from '../../../use-may.ts';

/** Webhooks are the business of managers; the service would refuse everybody else. */
export function ManagersOnly({ children }: { children: ReactNode }) {
  const { data } = useCaller();
  const may = useMay('itsm_manager');
  if (may || !data) return children;
  return <ProblemView problem={new Error('You need the Manager role to manage webhooks.')} />;
}
