import type { Credentials } from './credentials.ts';

interface Facts {
  version: string;
  seconds: number;
  dataFolder: string;
  /** The language model behind Bedrock. */
  model: string;
}

export interface BannerFacts extends Facts {
  credentials: Credentials;
}

export interface ProductionFacts extends Facts {
  publicUrl: string;
  /** With a password only on the start that created the account. */
  administrator: { email: string; password: string | undefined };
}

export function formatProductionBanner({
  version,
  seconds,
  dataFolder,
  model,
  publicUrl,
  administrator,
}: ProductionFacts): string {
  const { email, password } = administrator;
  return `
  Incident Service ${version}, ready in ${seconds.toFixed(1)} s

  API      ${publicUrl}/prod/api/v1
  Console  ${publicUrl}/console/   ${password ? `sign in as ${email} with ${password}` : `the administrator is ${email}`}
  Model    ${model}
  Data     ${dataFolder}
${password ? '\n  The password is not shown again.\n' : ''}`;
}

export function formatBanner({ version, seconds, credentials, dataFolder, model }: BannerFacts): string {
  const { base_url, auth_url, aws_endpoint_url, aws_access_key_id, clients, users } = credentials;
  const person = users.find(({ email }) => email.startsWith('agent'));
  return `
  Incident Service ${version}, ready in ${seconds.toFixed(1)} s

  API      ${base_url}/prod/api/v1
  Token    ${auth_url}/oauth2/token
  Console  ${base_url}/console/   sign in as ${person?.email} with ${person?.password}
  AWS      ${aws_endpoint_url}   access key ${aws_access_key_id}, region us-east-1; see credentials.json for the secret
  Model    ${model}
  Data     ${dataFolder}   credentials.json lists all demo clients and users

  Try it (as the agent client):

    ${formatCurlLine(base_url, auth_url, clients.agent)}

  Press Ctrl-C to stop. Data is kept.
`;
}

function formatCurlLine(
  baseUrl: string,
  authUrl: string,
  client: { client_id: string; client_secret: string },
): string {
  const form = `-d grant_type=client_credentials -d client_id=${client.client_id} -d client_secret=${client.client_secret}`;
  const token = `$(curl -s ${authUrl}/oauth2/token ${form} | node -pe 'JSON.parse(fs.readFileSync(0)).access_token')`;
  return `curl -s ${baseUrl}/prod/api/v1/health -H "Authorization: Bearer ${token}"`;
}
