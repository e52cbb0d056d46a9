// What the parsers build: the shape of an expression before its # and : placeholders are replaced.

/** A step of a document path: a name as written (perhaps a # placeholder) or a place in a list. */
export type Step = string | number;
export type Path = readonly Step[];

export type Operand =
  | { kind: 'path'; path: Path }
  | { kind: 'value'; placeholder: string }
  | { kind: 'function'; name: string; operands: readonly Operand[] }
  | { kind: 'arithmetic'; operator: '+' | '-'; left: Operand; right: Operand };

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Condition =
  | { kind: 'compare'; operator: Comparator; left: Operand; right: Operand }
  | { kind: 'between'; operand: Operand; lower: Operand; upper: Operand }
  | { kind: 'in'; operand: Operand; choices: readonly Operand[] }
  | { kind: 'and' | 'or'; left: Condition; right: Condition }
  | { kind: 'not'; condition: Condition }
  | { kind: 'function'; name: string; operands: readonly Operand[] };

export type UpdateAction =
  | { kind: 'set'; path: Path; value: Operand }
  | { kind: 'remove'; path: Path }
  | { kind: 'add' | 'delete'; path: Path; placeholder: string };

export type Update = readonly UpdateAction[];
export type Projection = readonly Path[];
