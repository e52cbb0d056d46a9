import type { Role } from '../../../contract/roles.ts';
import { type Caller, roleNames, useCaller } from '../../base/caller.tsx';
import { Badge, Box, KeyValues, Row } from '../../ui/kit/index.ts';
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
    <KeyValues
      columns={3}
      items={[
        { label: 'E-mail', value: <span className="wrapping">{caller.email}</span> },
        { label: 'Roles', value: <Roles roles={caller.roles} /> },
        { label: 'Type', value: kind },
      ]}
    />
  );
}

function Roles({ roles }: { roles: readonly Role[] }) {
  if (roles.length === 0) return <Box muted>None. Ask an administrator for access.</Box>;
  return (
    <Row>
      {roles.map((role) => (
        <Badge key={role} tone="blue">
          {roleNames[role]}
        </Badge>
      ))}
    </Row>
  );
}
