// The state machines of the template, and every definition an execution may still be running under: an execution
// keeps the definition it was started with.
import type { Row, Storage } from '../storage/storage.ts';
import type { Definition } from './definition.ts';
import type { Machine } from './execution.ts';

export class MachineStore {
  /** Those in the template. */
  readonly declared = new Map<string, Machine>();
  private readonly storage: Storage;
  private readonly parsed = new Map<string, Definition>();

  constructor(storage: Storage) {
    storage.exec(schema);
    this.storage = storage;
  }

  /** Also one that a later template no longer has: its executions come to their end. */
  get(arn: string): Machine {
    const known = this.declared.get(arn);
    if (known) return known;
    const row = this.row(arn);
    if (!row) throw new Error(`the state machine ${arn} is unknown`);
    const revision = Number(row.revision);
    return {
      arn,
      name: String(row.name),
      roleArn: String(row.role),
      definition: this.definitionText(arn, revision) ?? '',
      revision,
      createdMs: Number(row.created_ms),
    };
  }

  definition(arn: string, revision: number): Definition {
    const key = `${arn} ${revision}`;
    const known = this.parsed.get(key);
    if (known) return known;
    const text = this.definitionText(arn, revision);
    if (text === undefined) throw new Error(`revision ${revision} of the state machine ${arn} is unknown`);
    const definition = JSON.parse(text) as Definition;
    this.parsed.set(key, definition);
    return definition;
  }

  definitionText(arn: string, revision: number): string | undefined {
    return this.storage
      .prepare('SELECT definition FROM sfn_revisions WHERE machine = ? AND revision = ?')
      .get([arn, revision])?.definition as string | undefined;
  }

  /** A definition that differs from the last one becomes a new revision. */
  declare(arn: string, name: string, roleArn: string, definition: string, nowMs: number): void {
    const row = this.row(arn);
    const before = row ? Number(row.revision) : 0;
    const same = before > 0 && this.definitionText(arn, before) === definition;
    const revision = same ? before : before + 1;
    const createdMs = row ? Number(row.created_ms) : nowMs;
    this.storage.writeNow(() => {
      this.storage
        .prepare('INSERT OR REPLACE INTO sfn_machines (arn, name, role, revision, created_ms) VALUES (?, ?, ?, ?, ?)')
        .run([arn, name, roleArn, revision, createdMs]);
      this.storage
        .prepare('INSERT OR REPLACE INTO sfn_revisions (machine, revision, definition) VALUES (?, ?, ?)')
        .run([arn, revision, definition]);
    });
    this.declared.set(arn, { arn, name, roleArn, definition, revision, createdMs });
  }

  private row(arn: string): Row | undefined {
    return this.storage.prepare('SELECT * FROM sfn_machines WHERE arn = ?').get([arn]);
  }
}

const schema = `
  CREATE TABLE IF NOT EXISTS sfn_machines (
    arn TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    revision INTEGER NOT NULL,
    created_ms INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS sfn_revisions (
    machine TEXT NOT NULL,
    revision INTEGER NOT NULL,
    definition TEXT NOT NULL,
    PRIMARY KEY (machine, revision)
  );
`;
