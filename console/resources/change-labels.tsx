import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import { ApprovalState } from '../records/approval-state.tsx';
import { type Change, riskNames, stateNames } from './change-words.ts';

export function ChangeState({ state }: Pick<Change, 'state'>) {
  return <ApprovalState state={state} names={stateNames} />;
}

const colors: Readonly<Record<Change['risk'], NonNullable<BadgeProps['color']>>> = {
  low: 'severity-low',
  medium: 'severity-medium',
  high: 'severity-high',
};

export function RiskBadge({ risk }: Pick<Change, 'risk'>) {
  const name = `${riskNames[risk]} risk`;
  return (
    <span title={name}>
      <Badge color={colors[risk]}>{riskNames[risk]}</Badge>
    </span>
  );
}
