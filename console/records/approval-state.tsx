import StatusIndicator, { type StatusIndicatorProps } from '@cloudscape-design/components/status-indicator';

type Look = [StatusIndicatorProps.Type, StatusIndicatorProps.Color?];

const looks: Readonly<Record<string, Look>> = {
  draft: ['not-started', 'grey'],
  submitted: ['pending', 'blue'],
  pending: ['pending', 'blue'],
  approved: ['success'],
  rejected: ['error'],
  implementing: ['in-progress', 'blue'],
  completed: ['success', 'grey'],
  fulfilled: ['success', 'grey'],
  applied: ['success'],
  failed: ['error'],
  cancelled: ['not-started', 'grey'],
};

/** The state of a record that needs approval. */
export function ApprovalState({ state, names }: { state: string; names: Readonly<Record<string, string>> }) {
  const [type, color] = looks[state] ?? ['info'];
  return (
    <StatusIndicator wrapText={false} type={type} {...(color ? { colorOverride: color } : {})}>
      {names[state] ?? state}
    </StatusIndicator>
  );
}
