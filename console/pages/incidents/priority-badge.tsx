import Badge, { type BadgeProps } from '@cloudscape-design/components/badge';
import type { Priority } from '../../../contract/states.ts';
import { priorityNames } from './incident-words.ts';

const colors: Readonly<Record<Priority, NonNullable<BadgeProps['color']>>> = {
  P1: 'severity-critical',
  P2: 'severity-high',
  P3: 'severity-medium',
  P4: 'severity-low',
};

/** Colour and letter both tell the priority, so neither is needed alone. */
export function PriorityBadge({ priority }: { priority: Priority }) {
  return (
    <span title={priorityNames[priority]}>
      <Badge color={colors[priority]}>{priority}</Badge>
    </span>
  );
}
