// The keys that a template declares. Their material is made once and kept in the data folder, next to what it protects:
// that is as safe as the folder is, and it lets the same calls, grants and refusals happen as in the cloud.
import { randomBytes } from 'node:crypto';
import { AwsError } from '../aws/error.ts';
import type { Storage } from '../storage/storage.ts';
import type { Properties, Resource, StackEnvironment } from '../template/resource-type.ts';
import { aliasArn, keyArn } from './resource-types.ts';

export interface Key {
  id: string;
  arn: string;
  enabled: boolean;
  material: Buffer;
}

export class Keys {
  private readonly storage: Storage;
  private readonly environment: StackEnvironment;
  private readonly keys = new Map<string, Key>();
  private readonly aliases = new Map<string, string>();

  constructor(storage: Storage, environment: StackEnvironment) {
    this.storage = storage;
    this.environment = environment;
    storage.exec('CREATE TABLE IF NOT EXISTS kms_keys (key_id TEXT PRIMARY KEY, material BLOB NOT NULL)');
  }

  load(resources: readonly Resource[]): void {
    const ofType = (type: string) => resources.filter((resource) => resource.type === type);
    const problems: string[] = [];
    for (const { logicalId, properties, physicalId } of ofType('AWS::KMS::Key')) {
      problems.push(...keyProblems(properties, this.environment).map((problem) => `${logicalId}: ${problem}`));
      const enabled = String(properties.Enabled ?? true) === 'true';
      const arn = keyArn(physicalId, this.environment);
      this.keys.set(physicalId, { id: physicalId, arn, enabled, material: this.material(physicalId) });
    }
    for (const { logicalId, properties } of ofType('AWS::KMS::Alias')) {
      const target = this.find(String(properties.TargetKeyId));
      if (!target) problems.push(`${logicalId}: the key ${properties.TargetKeyId} is unknown`);
      else this.aliases.set(String(properties.AliasName), target.id);
    }
    if (problems.length > 0) throw new Error(`KMS cannot honour the template:\n- ${problems.join('\n- ')}`);
  }

  /** By id, ARN, alias or the alias's ARN, as every call may name it. */
  get(name: unknown): Key {
    if (typeof name !== 'string' || name === '') throw new AwsError('ValidationException', 'KeyId is required');
    const key = this.find(name);
    if (key) return key;
    const isAlias = /(^|:)alias\//.test(name);
    const arn = name.startsWith('arn:') ? name : isAlias ? aliasArn(name, this.environment) : undefined;
    const message = isAlias
      ? `Alias ${arn} is not found.`
      : `Key '${arn ?? keyArn(name, this.environment)}' does not exist`;
    throw new AwsError('NotFoundException', message);
  }

  find(name: string): Key | undefined {
    const prefix = keyArn('', this.environment);
    const alias = name.startsWith(aliasArn('alias/', this.environment))
      ? name.slice(aliasArn('', this.environment).length)
      : name;
    return this.keys.get(name.startsWith(prefix) ? name.slice(prefix.length) : (this.aliases.get(alias) ?? name));
  }

  private material(keyId: string): Buffer {
    const known = this.storage.prepare('SELECT material FROM kms_keys WHERE key_id = ?').get([keyId])?.material;
    if (known !== undefined) return Buffer.from(known as Uint8Array);
    const made = randomBytes(32);
    this.storage.writeNow(() => this.storage.prepare('INSERT INTO kms_keys VALUES (?, ?)').run([keyId, made]));
    return made;
  }
}

/** A key policy is honoured as far as it leaves the decision to the roles' own policies, which is CDK's default. */
function keyProblems(properties: Properties, { accountId }: StackEnvironment): string[] {
  const problems: string[] = [];
  const only = (name: string, value: string) => {
    if (properties[name] !== undefined && properties[name] !== value) {
      problems.push(`${name} ${properties[name]} is not supported; only ${value} is`);
    }
  };
  only('KeySpec', 'SYMMETRIC_DEFAULT');
  only('KeyUsage', 'ENCRYPT_DECRYPT');
  only('Origin', 'AWS_KMS');
  if (String(properties.MultiRegion ?? false) === 'true') problems.push('there is one region on one machine');
  const statements: Properties[] = [properties.KeyPolicy?.Statement ?? []].flat();
  const root = `arn:aws:iam::${accountId}:root`;
  const handsOver = ({ Effect, Action, Principal }: Properties) =>
    Effect === 'Allow' && Action === 'kms:*' && Principal?.AWS === root;
  if (properties.KeyPolicy !== undefined && !statements.some(handsOver)) {
    problems.push('KeyPolicy must leave access to the policies of roles: Allow kms:* to the root of the account');
  }
  if (statements.some(({ Effect }) => Effect === 'Deny')) problems.push('KeyPolicy with Deny is not supported');
  return problems;
}
