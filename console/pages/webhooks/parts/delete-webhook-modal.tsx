import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';
import { DecisionModal } from '../../../components/decision-modal.tsx';
import { ProblemView } from '../../../components/problem-view.tsx';
import { navigate } from '../../../location.ts';
import { notify } from '../../../notices.ts';
import { useAction } from '../../../use-action.ts';

interface DeleteWebhookModalProps {
  name: string;
  children: ReactNode;
  remove(): Promise<unknown>;
  /** Where to go when it is gone. */
  to: string;
  onClose(): void;
}

export function DeleteWebhookModal({ name, children, remove, to, onClose }: DeleteWebhookModalProps) {
  const action = useAction();
  const confirm = () =>
    action.run(async () => {
      await remove();
      notify({ type: 'success', content: `${name} was deleted.` });
      navigate(to);
    });
  return (
    <DecisionModal
      title={`Delete ${name}?`}
      dismissText="Cancel"
      onDismiss={onClose}
      confirmText="Delete"
      onConfirm={confirm}
      busy={action.busy}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      <Box>{children}</Box>
    </DecisionModal>
  );
}
