import { ApprovalState } from '../records/approval-state.tsx';
import { Badge, type Tone } from '../ui/kit/index.ts';
import { type Change, riskNames, stateNames } from './change-words.ts';

export function ChangeState({ state }: Pick<Change, 'state'>) {
  return <ApprovalState state={state} names={stateNames} />;
}

const colors: Readonly<Record<Change['risk'], Tone>> = {
  low: 'grey',
  medium: 'orange',
  high: 'red',
};

export function RiskBadge({ risk }: Pick<Change, 'risk'>) {
  const name = `${riskNames[risk]} risk`;
  return (
    <span title={name}>
      <Badge tone={colors[risk]}>{riskNames[risk]}</Badge>
    </span>
  );
}
