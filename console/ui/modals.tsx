import { type ReactNode, useState } from 'react';
import { navigate } from '../base/router.ts';
import { type FieldProblems, splitProblem } from './field-problems.ts';
import { Box, Button, FormField, Modal, Row, Stack, Textarea } from './kit/index.ts';
import { notify } from './notices.ts';
import { ProblemView } from './problem-view.tsx';
import { useAction } from './use-action.ts';

interface DecisionModalProps {
  title: string;
  size?: 'small' | 'medium' | 'large';
  children: ReactNode;
  confirmText: string;
  onConfirm(): void;
  /** True while the action runs. */
  busy?: boolean;
  problem?: unknown;
  disabled?: boolean;
  dismissText?: string;
  onDismiss(): void;
  /** Escape and the X, where they must not do what the dismiss button does. */
  onClose?: () => void;
}

/** A dialog to confirm or dismiss. */
export function DecisionModal(props: DecisionModalProps) {
  return (
    <Modal
      title={props.title}
      size={props.size}
      onDismiss={props.onClose ?? props.onDismiss}
      footer={
        <Box>
          <Row>
            <Button variant="link" onClick={props.onDismiss}>
              {props.dismissText ?? 'Cancel'}
            </Button>
            <Button
              variant="primary"
              loading={props.busy ?? false}
              disabled={props.disabled ?? false}
              onClick={props.onConfirm}
            >
              {props.confirmText}
            </Button>
          </Row>
        </Box>
      }
    >
      <Stack>
        {props.problem !== undefined && <ProblemView problem={props.problem} />}
        {props.children}
      </Stack>
    </Modal>
  );
}

interface ActionModalProps extends Pick<DecisionModalProps, 'title' | 'confirmText' | 'disabled' | 'dismissText'> {
  /** A function gets the problems of the fields below. */
  children: ReactNode | ((problems: FieldProblems) => ReactNode);
  /** The fields that show their own problems. */
  fields?: readonly string[];
  /** Asks for a note. */
  noteLabel?: string;
  run(note: string): Promise<unknown>;
  onClose(): void;
}

/** A dialog that runs an action and closes when it is done. */
export function ActionModal({ children, fields = [], noteLabel, run, onClose, ...rest }: ActionModalProps) {
  const [note, setNote] = useState('');
  const action = useAction();
  const { byField, rest: problem } = splitProblem(action.problem, (field) => fields.includes(field));
  const confirm = async () => {
    const isDone = await action.run(async () => {
      await run(note);
    });
    if (isDone) onClose();
  };
  return (
    <DecisionModal {...rest} onDismiss={onClose} onConfirm={confirm} busy={action.busy} problem={problem}>
      {typeof children === 'function' ? children(byField) : children}
      {noteLabel && (
        <FormField label={noteLabel} stretch>
          <Textarea rows={3} value={note} onChange={setNote} />
        </FormField>
      )}
    </DecisionModal>
  );
}

interface DeleteModalProps {
  name: string;
  remove(): Promise<unknown> | undefined;
  /** The page to open afterwards. */
  listTo: string;
  /** The consequences. */
  children: ReactNode;
  onClose(): void;
}

export function DeleteModal({ name, remove, listTo, children, onClose }: DeleteModalProps) {
  const run = async () => {
    await remove();
    notify({ type: 'success', content: `${name} was deleted.` });
    navigate(listTo);
  };
  return (
    <ActionModal title={`Delete ${name}?`} confirmText="Delete" run={run} onClose={onClose}>
      {children}
    </ActionModal>
  );
}
