// The icons of the console, drawn on a grid of 16 by 16.
const paths = {
  'add-plus': 'M8 3v10M3 8h10',
  api: 'M6 2.5c-2 0-1.5 2-1.5 3.2S4 8 2.5 8c1.5 0 2 1.1 2 2.3s-.5 3.2 1.5 3.2M10 2.5c2 0 1.5 2 1.5 3.2S12 8 13.5 8c-1.5 0-2 1.1-2 2.3s.5 3.2-1.5 3.2',
  ask: 'M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2zM5.5 6.5h5M5.5 8.7h3',
  audit: 'M3 2.5h7l3 3v8H3zM5.5 7h5M5.5 9.5h5M5.5 4.7h2',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1.2 1.3H2.8zM6.8 14.2h2.4',
  board: 'M2.5 3h3v10h-3zM6.7 3h3v6.5h-3zM10.8 3h3v8.2h-3z',
  book: 'M3 3.2c2-.8 3.6-.5 5 .5 1.4-1 3-1.3 5-.5v9.3c-2-.8-3.6-.5-5 .5-1.4-1-3-1.3-5-.5zM8 3.7V13',
  bug: 'M5.9 5a2.1 2.1 0 0 1 4.2 0M8 5a3 3 0 0 1 3 3v2.5a3 3 0 0 1-6 0V8a3 3 0 0 1 3-3ZM8 8.5v5M5.2 6.8 3 5.2M10.8 6.8 13 5.2M5 9.5H2.5M11 9.5h2.5M5.3 12l-1.8 1.5M10.7 12l1.8 1.5',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  change: 'M3 5.5h9M9.5 3 12 5.5 9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13',
  check: 'm3 8.5 3.2 3.2L13 4.8',
  'check-circle': 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM5.3 8.2l2 2 3.5-4',
  clock: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 4.8V8l2.2 1.4',
  close: 'm4 4 8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  dashed: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2Z',
  dots: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  down: 'm4 6 4 4 4-4',
  edit: 'M3 13v-2.5L10.5 3 13 5.5 5.5 13zM9 4.5 11.5 7',
  error: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 5v3.5M8 11h.01',
  external: 'M9.5 3H13v3.5M13 3 7.5 8.5M11.5 9.5V13H3V4.5h3.5',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  half: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 5v3l2 1.5',
  inbox: 'M2.5 9 4.5 3h7l2 6v4h-11zM2.5 9h3.2c0 2.8 4.6 2.8 4.6 0h3.2',
  incident: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01',
  info: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM8 7.5V11M8 5h.01',
  layers: 'm8 2.5 6 3-6 3-6-3zM2 8.5l6 3 6-3M2 11.2l6 3 6-3',
  left: 'M10 4 6 8l4 4',
  lightbulb: 'M5.7 10.5A4 4 0 1 1 10.3 10.5v1.3H5.7zM6.5 14h3',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  moon: 'M13.5 9.6A6 6 0 0 1 6.4 2.5a6 6 0 1 0 7.1 7.1Z',
  out: 'M7 3H3v10h4M6.5 8H14M11 5l3 3-3 3',
  overview: 'M2.5 2.5h4.7v4.7H2.5zM8.8 2.5h4.7v4.7H8.8zM2.5 8.8h4.7v4.7H2.5zM8.8 8.8h4.7v4.7H8.8z',
  in: 'M9 3h4v10H9M2 8h7.5M6.5 5l3 3-3 3',
  panel: 'M2.5 3h11v10h-11zM9.5 3v10',
  pause: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2ZM6.5 6v4M9.5 6v4',
  phone: 'M3 3.5 5.5 2.5 7 6 5.5 7.2c.8 1.6 1.7 2.5 3.3 3.3L10 9l3.5 1.5-1 2.5C8 13.5 2.5 8 3 3.5Z',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3',
  remove: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M7 7v3.5M9 7v3.5',
  right: 'm6 4 4 4-4 4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.3 10.3 13.5 13.5',
  server: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  settings: 'M2.5 5H9M12.5 5h1M9 3.5v3M2.5 11h1M7 11h6.5M5.2 9.5v3',
  sparkle: 'M8 2.5 9.4 6.6 13.5 8 9.4 9.4 8 13.5 6.6 9.4 2.5 8 6.6 6.6z',
  star: 'm8 2.5 1.7 3.6 3.8.5-2.8 2.7.7 3.9L8 11.3l-3.4 1.9.7-3.9-2.8-2.7 3.8-.5z',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3',
  up: 'm4 10 4-4 4 4',
  user: 'M8 2.5a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM2.8 13.5c.6-2.4 2.5-3.6 5.2-3.6s4.6 1.2 5.2 3.6',
  warning: 'M8 2.5 14 13H2zM8 6.5v3M8 11.3h.01',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, className = '' }: { name: IconName; className?: string }) {
  return (
    <svg className={`ui-icon ${className}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
