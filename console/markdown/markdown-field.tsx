import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import SegmentedControl from '@cloudscape-design/components/segmented-control';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Textarea from '@cloudscape-design/components/textarea';
import { type ReactNode, useState } from 'react';
import { Markdown } from './markdown.tsx';

interface MarkdownFieldProps {
  label: string;
  description?: ReactNode;
  value: string;
  onChange(value: string): void;
  /** Control and Enter, or Command and Enter. */
  onSubmit?: () => void;
  errorText?: ReactNode;
  rows?: number;
  placeholder?: string;
}

const constraint = 'Markdown: # heading, **bold**, *italic*, `code`, - list, [text](https://…)';

/** A text area with a look at the result. */
export function MarkdownField({
  label,
  description,
  value,
  onChange,
  onSubmit,
  errorText,
  ...rest
}: MarkdownFieldProps) {
  const [mode, setMode] = useState('write');
  const previewing = mode === 'preview';
  return (
    <FormField
      label={label}
      description={description}
      constraintText={previewing ? undefined : constraint}
      errorText={errorText}
      stretch
    >
      <SpaceBetween size="xs">
        <SegmentedControl
          label={`${label}: write or preview`}
          selectedId={mode}
          options={[
            { id: 'write', text: 'Write' },
            { id: 'preview', text: 'Preview' },
          ]}
          onChange={({ detail }) => setMode(detail.selectedId)}
        />
        {previewing ? (
          <div className="preview">
            {value.trim() === '' ? (
              <Box color="text-status-inactive">Nothing to preview</Box>
            ) : (
              <Markdown source={value} />
            )}
          </div>
        ) : (
          <Textarea
            value={value}
            rows={rest.rows ?? 8}
            placeholder={rest.placeholder ?? ''}
            onChange={({ detail }) => onChange(detail.value)}
            onKeyDown={({ detail }) => {
              if (detail.key === 'Enter' && (detail.ctrlKey || detail.metaKey)) onSubmit?.();
            }}
          />
        )}
      </SpaceBetween>
    </FormField>
  );
}
