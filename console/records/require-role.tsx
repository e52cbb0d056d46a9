import type { ReactNode } from 'react';
import type { Role } from '../../contract/roles.ts';
import { roleNames, useCaller, useHasRole } from '../base/caller.tsx';
import { Alert } from '../ui/kit/index.ts';
import { PageLayout } from '../ui/layouts.tsx';
import { FactsSkeleton } from '../ui/panels.tsx';
import { ProblemView } from '../ui/problem-view.tsx';

interface RequireRoleProps {
  minRole: Role;
  /** What the role is for, such as "edit incidents". */
  action: string;
  /** The heading of the page, where it is part of the content. */
  title?: string;
  children: ReactNode;
}

/** Shows its content to users with the role, and the others which role they need. The service enforces it. */
export function RequireRole({ minRole, action, title, children }: RequireRoleProps) {
  const { data: caller, problem, reload } = useCaller();
  const isAllowed = useHasRole(minRole);
  if (isAllowed) return children;
  if (problem !== undefined) return <ProblemView problem={problem} onRetry={reload} />;
  if (!caller) return <FactsSkeleton facts={6} label="Loading page" />;
  const notice = (
    <Alert type="info" header="Permission required">
      You need the {roleNames[minRole]} role to {action}.
    </Alert>
  );
  if (title === undefined) return notice;
  return <PageLayout title={title}>{notice}</PageLayout>;
}
