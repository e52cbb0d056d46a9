import StatusIndicator from '@cloudscape-design/components/status-indicator';

export function ActiveLabel({ active }: { active: boolean }) {
  return (
    <StatusIndicator wrapText={false} type={active ? 'success' : 'stopped'}>
      {active ? 'Active' : 'Inactive'}
    </StatusIndicator>
  );
}
