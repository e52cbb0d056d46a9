import { listRoleStatements, type Template } from './template-checks.ts';

// Lists the permissions of a template's roles, to compare them with those that tests used (npm run grants).

/** Without the hash that the CDK appends. */
export function toRoleName(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}

/** Lambda writes logs and traces with the role of the function; no function calls these itself. */
const usedByLambda = /^(?:logs|xray):/;

/** Every role and action that the template grants for calls of the functions' own. */
export function listGrants(template: Template): { role: string; action: string }[] {
  const grants = listRoleStatements(template)
    // DynamoDB, S3 and SQS use the key on behalf of a function; one machine does not encrypt with it.
    .filter(({ statement }) => !JSON.stringify(statement.Condition ?? {}).includes('kms:ViaService'))
    .flatMap(({ id, statement }) =>
      [statement.Action ?? []]
        .flat()
        .filter((action) => !usedByLambda.test(action))
        .map((action) => `${toRoleName(id)} ${action}`),
    );
  return [...new Set(grants)].map((grant) => {
    const [role = '', action = ''] = grant.split(' ');
    return { role, action };
  });
}
