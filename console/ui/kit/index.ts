// The component kit of the console.
export * from './attribute-editor.tsx';
export * from './button.tsx';
export * from './combobox.tsx';
export * from './feedback.tsx';
export * from './field.tsx';
export * from './icon.tsx';
export * from './layout.tsx';
export { Listbox, type Option, useOptionKeys } from './listbox.tsx';
export * from './overlay.tsx';
export * from './select.tsx';
export * from './table.tsx';
