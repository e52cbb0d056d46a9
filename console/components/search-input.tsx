import Input from '@cloudscape-design/components/input';
import { useEffect, useState } from 'react';

interface SearchInputProps {
  value: string;
  label: string;
  placeholder: string;
  onChange(value: string): void;
}

/** So long after the last key the search begins. */
const pauseMs = 300;

export function SearchInput({ value, label, placeholder, onChange }: SearchInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts the pause again.
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <Input
      type="search"
      value={text}
      placeholder={placeholder}
      ariaLabel={label}
      clearAriaLabel="Clear search"
      onChange={({ detail }) => setText(detail.value)}
      onKeyDown={({ detail }) => {
        if (detail.key === 'Enter') onChange(text);
      }}
    />
  );
}
