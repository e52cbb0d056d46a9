import { Box, KeyValues, Modal } from '../ui/kit/index.ts';

const keys = [
  ['j / k', 'Next or previous row', false],
  ['Enter', 'Open', false],
  ['v', 'Show or hide the preview', false],
  ['x', 'Select; Shift+X selects up to the row', true],
  ['p', 'Change the priority', true],
  ['s', 'Change the state', true],
  ['a', 'Assign', true],
  ['l', 'Change the team', true],
  ['e', 'Edit', true],
  ['n', 'Create', true],
  ['/', 'Search this list', false],
  ['Ctrl+K', 'Search everything', false],
  ['?', 'This help', false],
] as const;

export function TriageHelp({ canWrite, onClose }: { canWrite: boolean; onClose(): void }) {
  return (
    <Modal title="Keyboard shortcuts" onDismiss={onClose}>
      <KeyValues
        columns={2}
        items={keys
          .filter(([, , isWrite]) => canWrite || !isWrite)
          .map(([key, text]) => ({ label: text, value: <Box variant="code">{key}</Box> }))}
      />
    </Modal>
  );
}
