import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Modal, { type ModalProps } from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { type ReactNode, useState } from 'react';
import { ProblemView } from './problem-view.tsx';
import { useInitialFocus } from './screen.ts';
import { useAction } from './use-action.ts';

interface DecisionModalProps {
  title: string;
  size?: ModalProps.Size;
  children: ReactNode;
  confirmText: string;
  onConfirm(): void;
  /** True while the action runs. */
  busy: boolean;
  disabled?: boolean;
  dismissText: string;
  onDismiss(): void;
  /** Escape and the X, where they must not do what the dismiss button does. */
  onClose?: () => void;
}

/** A dialog to confirm or dismiss. */
export function DecisionModal(props: DecisionModalProps) {
  return (
    <Modal
      visible
      header={props.title}
      size={props.size ?? 'medium'}
      onDismiss={props.onClose ?? props.onDismiss}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={props.onDismiss}>
              {props.dismissText}
            </Button>
            <Button variant="primary" loading={props.busy} disabled={props.disabled ?? false} onClick={props.onConfirm}>
              {props.confirmText}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <div ref={useInitialFocus()}>
        <SpaceBetween size="l">{props.children}</SpaceBetween>
      </div>
    </Modal>
  );
}

interface ActionModalProps {
  title: string;
  confirmText: string;
  children: ReactNode;
  /** Asks for a note. */
  noteLabel?: string;
  run(note: string): Promise<void>;
  onClose(): void;
}

/** A confirmation dialog that runs an action. */
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
