import Box from '@cloudscape-design/components/box';
import { useApi } from '../../api.ts';
import { DecisionModal } from '../../components/decision-modal.tsx';
import { ProblemView } from '../../components/problem-view.tsx';
import { useAction } from '../../use-action.ts';
import type { ApiKey } from './api-keys-panel.tsx';

interface RevokeKeyModalProps {
  apiKey: ApiKey;
  onClose(): void;
  onRevoked(): void;
}

export function RevokeKeyModal({ apiKey, onClose, onRevoked }: RevokeKeyModalProps) {
  const { client } = useApi();
  const action = useAction();
  const revoke = () =>
    action.run(async () => {
      await client.deleteApiKey({ id: apiKey.id });
      onRevoked();
    });
  return (
    <DecisionModal
      title={`Revoke ${apiKey.name}?`}
      confirmText="Revoke"
      onConfirm={revoke}
      busy={action.busy}
      dismissText="Cancel"
      onDismiss={onClose}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Box>
        The key stops working immediately. Access tokens issued with it expire within five minutes. You cannot undo this
        action.
      </Box>
    </DecisionModal>
  );
}
