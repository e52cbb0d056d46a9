import Badge from '@cloudscape-design/components/badge';
import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { Role } from '../../../contract/roles.ts';
import { type Caller, roleNames, useCaller } from '../../base/caller.tsx';
import { Panel } from '../../ui/layouts.tsx';
import { FactsSkeleton } from '../../ui/panels.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';

export function CallerPanel() {
  const { data, problem, reload } = useCaller();
  return (
    <Panel title="Signed in as" fitHeight>
      {problem !== undefined ? (
        <ProblemView problem={problem} onRetry={reload} />
      ) : data ? (
        <CallerFacts caller={data} />
      ) : (
        <FactsSkeleton facts={3} label="Loading profile" />
      )}
    </Panel>
  );
}

function CallerFacts({ caller }: { caller: Caller }) {
  const kind = caller.kind === 'user' ? 'User' : 'API client';
  return (
    <KeyValuePairs
      columns={1}
      items={[
        { label: 'Email', value: <span className="wrapping">{caller.email}</span> },
        { label: 'Roles', value: <Roles roles={caller.roles} /> },
        { label: 'Type', value: kind },
      ]}
    />
  );
}

function Roles({ roles }: { roles: readonly Role[] }) {
  if (roles.length === 0) return <Box color="text-status-inactive">None. Ask an administrator for access.</Box>;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {roles.map((role) => (
        <Badge key={role} color="blue">
          {roleNames[role]}
        </Badge>
      ))}
    </SpaceBetween>
  );
}
