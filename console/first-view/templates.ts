/** Markup of the incident list with placeholders like `~id~`, rendered by the build (render-templates.tsx). */
export interface FirstViewTemplates {
  /** For large and for small screens. */
  wide: PageTemplate;
  narrow: PageTemplate;
  cells: Record<'id' | 'short_description' | 'card_title' | 'none' | 'sun', string>;
  /** Labels by value. */
  priority: Record<string, string>;
  state: Record<string, string>;
  sla: Record<string, string>;
}

export interface PageTemplate {
  /** The whole page, with the placeholder `~rows~`. */
  page: string;
  row: string;
}
