import Box from '@cloudscape-design/components/box';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Modal from '@cloudscape-design/components/modal';

const keys = [
  ['j / k', 'Next or previous row', false],
  ['Enter', 'Open', false],
  ['p', 'Show or hide the preview', false],
  ['x', 'Select', true],
  ['e', 'Edit', true],
  ['a', 'Assign to me', true],
  ['n', 'Create', true],
  ['/', 'Search this list', false],
  ['Ctrl+K', 'Search everything', false],
  ['?', 'This help', false],
] as const;

export function TriageHelp({ canWrite, onClose }: { canWrite: boolean; onClose(): void }) {
  return (
    <Modal visible header="Keyboard shortcuts" closeAriaLabel="Close" onDismiss={onClose}>
      <KeyValuePairs
        columns={2}
        items={keys
          .filter(([, , isWrite]) => canWrite || !isWrite)
          .map(([key, text]) => ({ label: text, value: <Box variant="code">{key}</Box> }))}
      />
    </Modal>
  );
}
