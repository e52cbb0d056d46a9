import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal, { type ModalProps } from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';

interface DecisionModalProps {
  title: string;
  size?: ModalProps.Size;
  children: ReactNode;
  confirmText: string;
  onConfirm(): void;
  /** While it is being carried out. */
  busy: boolean;
  disabled?: boolean;
  dismissText: string;
  onDismiss(): void;
}

/** Something to look at, then to do or to leave. */
export function DecisionModal(props: DecisionModalProps) {
  return (
    <Modal
      visible
      header={props.title}
      size={props.size ?? 'medium'}
      onDismiss={props.onDismiss}
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
      <SpaceBetween size="l">{props.children}</SpaceBetween>
    </Modal>
  );
}
