import FormField from '@cloudscape-design/components/form-field';
import Textarea from '@cloudscape-design/components/textarea';
import { type ReactNode, useState } from 'react';
import { DecisionModal } from '../components/decision-modal.tsx';
import { ProblemView } from '../components/problem-view.tsx';
import { useAction } from '../use-action.ts';

interface ActionModalProps {
  title: string;
  confirmText: string;
  children: ReactNode;
  /** Asks for words along with it. */
  noteLabel?: string;
  run(note: string): Promise<void>;
  onClose(): void;
}

/** Something that is asked about before it is done. */
export function ActionModal({ title, confirmText, children, noteLabel, run, onClose }: ActionModalProps) {
  const [note, setNote] = useState('');
  const action = useAction();
  const confirm = async () => {
    if (await action.run(() => run(note))) onClose();
  };
  return (
    <DecisionModal
      title={title}
      dismissText="Back"
      onDismiss={onClose}
      confirmText={confirmText}
      onConfirm={confirm}
      busy={action.busy}
    >
      {action.problem !== undefined && <ProblemView problem={action.problem} />}
      {children}
      {noteLabel && (
        <FormField label={noteLabel} stretch>
          <Textarea rows={3} value={note} onChange={({ detail }) => setNote(detail.value)} />
        </FormField>
      )}
    </DecisionModal>
  );
}
