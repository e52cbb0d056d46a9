// The state machines of the template, and older definitions of running executions: an execution always uses the
// definition that it started with.
import type { Row, Storage } from '../storage/storage.ts';
import type { Definition } from './definition.ts';

export interface Machine {
  arn: string;
  name: string;
  roleArn: string;
  definition: string;
  revision: number;
  createdMs: number;
}

export class MachineStore {
  /** The machines of the current template. */
  readonly declared = new Map<string, Machine>();
  private readonly storage: Storage;
  private readonly parsed = new Map<string, Definition>();

  constructor(storage: Storage) {
    storage.exec(schema);
    this.storage = storage;
  }

  /** Also finds machines that the current template no longer declares, so that their executions can finish. */
  get(arn: string): Machine {
    const declared = this.declared.get(arn);
    if (declared) return declared;
    const row = this.findRow(arn);
    if (!row) throw new Error(`the state machine ${arn} is unknown`);
    const revision = Number(row.revision);
    return {
      arn,
      name: String(row.name),
      roleArn: String(row.role),
      definition: this.findDefinitionText(arn, revision) ?? '',
      revision,
      createdMs: Number(row.created_ms),
    };
  }

  getDefinition(arn: string, revision: number): Definition {
    const key = `${arn} ${revision}`;
    const cached = this.parsed.get(key);
    if (cached) return cached;
    const text = this.findDefinitionText(arn, revision);
    if (text === undefined) throw new Error(`revision ${revision} of the state machine ${arn} is unknown`);
    const definition = JSON.parse(text) as Definition;
    this.parsed.set(key, definition);
    return definition;
  }

  /** Stores a new revision when the definition has changed. */
  declare(arn: string, name: string, roleArn: string, definition: string, nowMs: number): void {
    const row = this.findRow(arn);
    const before = row ? Number(row.revision) : 0;
    const isSame = before > 0 && this.findDefinitionText(arn, before) === definition;
    const revision = isSame ? before : before + 1;
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

  private findDefinitionText(arn: string, revision: number): string | undefined {
    return this.storage
      .prepare('SELECT definition FROM sfn_revisions WHERE machine = ? AND revision = ?')
      .get([arn, revision])?.definition as string | undefined;
  }

  private findRow(arn: string): Row | undefined {
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
